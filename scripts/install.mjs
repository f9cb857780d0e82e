// Installs the compilers, the linter and Prisma for the commands that run them.
import { install } from './lib/install.mjs';
import { orSay } from './lib/launch.mjs';

await orSay(() => install('all', () => undefined));
