// `npm run docs:screenshots`: the pictures of the dashboard in docs/screenshots.
import { launchScreenshots } from './lib/launch.mjs';

await launchScreenshots();
