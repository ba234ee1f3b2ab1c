import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Words } from '../src/api/types.gen';
import { DICTIONARIES, isKey, makeT } from '../src/i18n';
import { hear, SENTENCES, type Code } from '../src/i18n/hear';
import { OWN } from '../src/i18n/own';
import { CHINESE, told } from '../src/i18n/told';
import { makeFormat } from '../src/model/format';

const f = makeFormat('zh');
const t = makeT('zh', f);
const own = (key: string) => (isKey(key) ? t(key) : undefined);
const zh = (text: string, words: Words | null = null) => told('zh', text, words, f, own);
const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)(?::[qdw])?\}/g)].map((m) => m[1]))].sort();
const words = (code: string, texts: Record<string, string> = {}, numbers: Record<string, number> = {}, inner: Record<string, Words> = {}): Words => ({ code, texts, numbers, inner });

describe('the sentences of the program', () => {
  it('are all there in Chinese, and no others', () => {
    expect(Object.keys(CHINESE).sort()).toEqual(Object.keys(SENTENCES).sort());
    for (const [code, text] of Object.entries(CHINESE)) expect(text.trim(), code).not.toBe('');
  });

  it('have the same placeholders in both languages', () => {
    for (const code of Object.keys(SENTENCES) as Code[]) expect(names(CHINESE[code]), code).toEqual(names(SENTENCES[code]));
  });

  it('are Chinese but for names', () => {
    for (const [code, text] of Object.entries(CHINESE)) {
      if (/^\{\w+\}(?:，|$)/.test(text)) continue;
      expect(text, code).toMatch(/[\u4e00-\u9fff]/);
      expect(text, code).not.toMatch(/(?<=[\u4e00-\u9fff])[,;:?!]/);
    }
  });

  it('that the front end says itself stand where they are said', () => {
    const sync = readFileSync('src/state/sync.ts', 'utf8');
    expect(sync).toContain(OWN['own.hole']);
  });
});

describe('the words of the system', () => {
  it.each([
    ["can't listen on 127.0.0.1:80: listen tcp 127.0.0.1:80: bind: address already in use; is another program using that port? Port 0 picks a free one", '无法在 127.0.0.1:80 监听：监听 127.0.0.1:80（tcp）：地址已被占用；是否有其他程序占用该端口？端口 0 会选一个空闲的'],
    ["x.har can't be read: permission denied", '无法读取 x.har：没有权限'],
    ['/a/b: is a directory', '/a/b：这是一个文件夹'],
    ['open /a/b: too many open files', 'open /a/b：打开的文件太多'],
  ])('%s', (text, chinese) => expect(zh(text)).toEqual({ text: chinese, lang: undefined }));

  it('take no sentence apart that is known as a whole', () => {
    const text = 'No answer from the provider at http://a/v1. The conversation is kept; check that it runs and that the address is right, then send again. It said: connection refused';
    expect(zh(text).text).toContain('连接被拒绝');
    expect(zh(text).text).not.toContain('provider');
  });
});

describe('a sentence with a code', () => {
  it('is said by its code and values, numbers as the language writes them', () => {
    expect(zh('x', words('verdict.appended', {}, { n: 12000 }))).toEqual({ text: '追加了 12,000 条消息', lang: undefined });
    expect(zh('x', words('verdict.a5-message', {}, { at: 12000 })).text).toBe('消息 12000 含有画面状态');
    expect(zh('x', words('verdict.a9-planned', { kinds: 'sealed, windowed' }, { lost: 9 })).text).toBe('已封存、已移窗；重新发送 9 字节');
  });

  it('holds another one', () => {
    const inner = words('verdict.tool-changed', { tool: 'read', member: 'description' });
    expect(zh('x', words('verdict.a8-broken', { path: '$.tools[0]' }, {}, { why: inner })).text).toBe('工具“read”的 description 已变，位于 $.tools[0]');
  });

  it('makes hostile values inert and never reads them as templates', () => {
    expect(zh('x', words('infer.became', { was: '{is}', is: 'a\u202eb<img src=x>' })).text).toBe('“{is}”变为“a⟦U+202E⟧b<img src=x>”');
  });

  it('falls back to English where the page does not know the code', () => {
    expect(zh('something new', words('verdict.of-tomorrow'))).toEqual({ text: 'something new', lang: 'en' });
  });

  it('stays as it is in an English window', () => {
    expect(told('en', 'the same bytes\u202e', words('verdict.same-bytes'), makeFormat('en'), own)).toEqual({ text: 'the same bytes⟦U+202E⟧', lang: undefined });
  });
});

describe('a sentence without a code', () => {
  it.each([
    ['The provider at 127.0.0.1:1 refused the key (status 401). The conversation is kept; check the key in the connection settings. It said: bad key', '127.0.0.1:1 的模型服务拒绝了密钥（状态 401）。对话已保留；请检查连接设置中的密钥。对方说：bad key'],
    ['The provider takes no more requests for now (status 429), and asks to wait 3s. The conversation is kept; send again later.', '模型服务暂时不再接受请求（状态 429），要求等待 3s。对话已保留；请稍后重新发送。'],
    ['No answer from the provider at h:1. The conversation is kept; check that it runs and that the address is right, then send again.', 'h:1 的模型服务没有应答。对话已保留；请检查它是否在运行、地址是否正确，然后重新发送。'],
    ['The server "notes" was not started: the command "npx" was not found on the PATH. The other servers are not affected; correct its entry and try again.', '服务器“notes”没有启动：在 PATH 上找不到命令“npx”。其他服务器不受影响；请改正它的配置后重试。'],
    ['the configuration can\'t be used: /home/a/c.json:3:5: unknown setting "modle" in the file; did you mean "model"? Allowed: model, system', '配置无法使用：/home/a/c.json:3:5：the file 中有未知的设置“modle”，是否想写“model”？可用的有：model, system'],
    ['session 20261130-1a: another program has this session open (zimoscope 0.1.0, process 12)', '会话 20261130-1a：另一个程序正打开着这个会话 (zimoscope 0.1.0, process 12)'],
    ['capture.har: the file ends in the middle of a record; everything before that was taken (3 times)', 'capture.har：文件在一条记录中间断开；之前的都已导入（3 次）'],
    ['skipped: requires mteam backend (no answer at the address, no bun)', '已跳过：需要 mteam 后端（地址无应答、没有 bun）'],
    ['request 3: 2 of 3 summaries are derived, not the model\'s words', '请求 3：3 条摘要中有 2 条是推导的，不是模型自己的话'],
    ['The request is larger than what is kept; its first 4096 bytes are here.', '请求超出保留的大小，这里是它的前 4,096 字节。'],
  ])('%s', (english, chinese) => {
    expect(zh(english).text).toBe(chinese);
  });

  it('of which nothing is known stays English, and says so', () => {
    expect(zh('strange: news from afar. It rains; bring a coat')).toEqual({ text: 'strange: news from afar. It rains; bring a coat', lang: 'en' });
    expect(hear('model at host')).toBeNull();
  });

  it('of a huge text is not looked for', () => {
    const text = `the session is closed: ${'a: '.repeat(2000)}`;
    expect(zh(text).lang).toBe('en');
  });

  it('is found quickly in the worst text that still counts', () => {
    const began = performance.now();
    for (let i = 0; i < 20; i++) zh(`${'x, protocol y, offers z: (status 4) '.repeat(27)}${i}`);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('keeps a name that looks like a placeholder', () => {
    expect(zh('the upstream "{address}" can\'t be used').text).toBe('上游地址“{address}”无法使用');
  });
});

it('the keys of both languages are those of the sentences of verdicts, so that words of the program are known', () => {
  for (const v of ['sealed', 'windowed', 'rewritten', 'first']) expect(Object.keys(DICTIONARIES.zh)).toContain(`verdict.${v}`);
});
