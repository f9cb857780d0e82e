import { Command } from 'ioredis';
import t from 'tap';
import { MixedCommand } from '../src/mixed-command.js';

function writtenByIoredis(args: readonly (string | Buffer)[]): Buffer {
  const written = new Command('evalsha', [...args], { replyEncoding: 'utf8' }).toWritable({});
  return typeof written === 'string' ? Buffer.from(written) : written;
}

const LONG = 'x'.repeat(63);
const VERY_LONG = 'y'.repeat(2_000);
const BYTES = Buffer.from([0, 13, 10, 255]);

t.test('a command is the bytes that ioredis would send', async (t) => {
  for (const [name, args] of Object.entries({
    'no arguments': [],
    texts: ['', 'a', LONG, `${LONG}x`, `${LONG}xx`],
    'texts of more bytes than characters': ['müller', '点看', 'a'.repeat(40) + 'é'.repeat(20)],
    'long texts first, between and last': [VERY_LONG, 'a', `${VERY_LONG}é`, BYTES, 'b', VERY_LONG],
    'bytes alone': [BYTES],
    'bytes first, between and last': [BYTES, 'a', '', Buffer.alloc(0), BYTES, 'é', Buffer.alloc(100, 'b')],
  })) {
    const written = new MixedCommand('evalsha', [...args]).toWritable();
    t.equal(written.toString('latin1'), writtenByIoredis(args).toString('latin1'), name);
  }
});
