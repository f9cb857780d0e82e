// Prints the bill of materials of what the services ship. Only later releases of pnpm can, and those are native programs.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pinnedPackage } from './lib/pinned-package.mjs';

const PNPM = {
  'linux-x64':
    '389f97db072b6a5742c23ef9a4221ead601141246975f8f47814ecff6383ca17de5b8eb294e9e34c813f18aadae8c9fa13bdbf8019974bc8a0ad48a86be17d7d',
  'linux-arm64':
    'd9da725410874fe15fa6e421f62fbb31702a35660b0af0f9bd8af9a7a1229b1a206bc5122e78db520ca3ef600eaced218dce6b8b74c414fde38b20478e4499a5',
};

const platform = `${process.platform}-${process.arch}`;
if (!(platform in PNPM)) throw new Error(`The bill of materials is written on Linux, not on ${platform}.`);
const program = path.join(
  await pinnedPackage(`@pnpm/exe.${platform}@12.18.0+sha512.${PNPM[platform]}`),
  'pnpm',
);
const args = '--filter-prod {services/*}... sbom --prod --sbom-format cyclonedx --sbom-type application';
process.exit(spawnSync(program, args.split(' '), { stdio: 'inherit' }).status ?? 1);
