declare module '*.md' {
  const guide: import('../vite/markdown.ts').Guide;
  export default guide;
}
