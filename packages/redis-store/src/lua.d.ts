/** The build reads a `.lua` file as text. */
declare module '*.lua' {
  const source: string;
  export default source;
}
