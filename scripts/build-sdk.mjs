// `npm run build` in packages/sdk, and before `npm pack`.
import { buildSdk } from './lib/build-sdk.mjs';

await buildSdk();
