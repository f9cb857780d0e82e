import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guidePages } from './vite/guide-pages.ts';
import { type Guide, markdown } from './vite/markdown.ts';

/** Where `pnpm --filter @verdict/dashboard dev` finds the API: an `npm start` of the same checkout. */
const API = 'http://127.0.0.1:8080';

const guides = new Map<string, Guide>();

export default defineConfig({
  plugins: [react(), markdown(guides), guidePages(guides)],
  build: {
    outDir: '../../dist/assets/dashboard',
    emptyOutDir: true,
    rolldownOptions: { input: { index: 'index.html', front: 'front.html' } },
    // Everything is a file of its own: the content security policy knows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': API } },
});
