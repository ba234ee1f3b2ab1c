import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The page runs under `default-src 'self'`: nothing may be inlined as data, and no helper script may be injected.
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1024,
  },
  test: {
    environment: 'happy-dom',
    include: ['test/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
});
