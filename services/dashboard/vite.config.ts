import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { markdown } from './vite/markdown.ts';

/** Where `pnpm --filter @verdict/dashboard dev` finds the API: an `npm start` of the same checkout. */
const API = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), markdown()],
  build: {
    outDir: '../../dist/assets/dashboard',
    emptyOutDir: true,
    // Everything is a file of its own: the content security policy knows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': API } },
});
