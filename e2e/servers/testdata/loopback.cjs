// Preloaded into a server that would listen on all interfaces: it listens on this machine alone.
const net = require("node:net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  return typeof port === "object" ? listen.call(this, { ...port, host: "127.0.0.1" }, ...rest)
    : listen.call(this, { port: Number(port), host: "127.0.0.1" }, ...rest.filter((x) => typeof x === "function"));
};
