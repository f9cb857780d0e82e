import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { logFileFor } from './log-file.mjs';
import { createManagedProcess } from './managed-process.mjs';
import { dataDir, makeDirectory } from './paths.mjs';

/**
 * Our own Redis. An answer is sent once its log is in the queue, so the queue must survive a crash: every write is
 * synced before it is acknowledged, and nothing is ever evicted.
 * @param {{ file: string, port: number, password: string, runFile: object }} options
 */
export function createRedisServer({ file, port, password, runFile }) {
  const directory = path.join(dataDir, 'redis');
  makeDirectory(directory, 0o700);
  const config = path.join(directory, 'redis.conf');
  // In a file rather than as arguments: everyone on the machine can read the arguments of a process.
  const settings = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(directory)}`,
    'appendonly yes',
    'appendfsync always',
    'save ""',
    'maxmemory-policy noeviction',
    'daemonize no',
  ];
  writeFileSync(config, `${settings.join('\n')}\n`, { mode: 0o600 });
  return createManagedProcess(
    {
      name: 'redis',
      command: file,
      args: [config],
      // Redis refuses to start when the locale of the caller is not installed.
      env: { ...process.env, LC_ALL: 'C' },
      cwd: directory,
      log: logFileFor('redis'),
      isReady: () => answersPing(port, password),
    },
    runFile,
  );
}

/** True once it has loaded its file: until then it answers LOADING. */
function answersPing(port, password) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    const finish = (ready) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.split('\r\n').length > 2) finish(answer.includes('+PONG'));
    });
  });
}
