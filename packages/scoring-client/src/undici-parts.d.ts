declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';

  export default Pool;
}
declare module 'undici/lib/api/index.js' {
  const methods: object;
  export default methods;
}
