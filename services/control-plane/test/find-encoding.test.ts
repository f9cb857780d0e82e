import t from 'tap';
import { decodeText } from '../src/jobs/decode-text.js';

const read = async (bytes: Buffer, size: number): Promise<string> => {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  let text = '';
  for await (const part of decodeText(chunks, { bytesMax: 1_000, mayBeWindows: true }).texts) text += part;
  return text;
};

t.test('the encoding is found however the file is cut into parts', async (t) => {
  const text = 'email;Straße\na@gmail.com;5 €\nb@gmail.com;日本語 🙂 é';
  const windows = Buffer.from('email;Stra\xdfe\na@gmail.com;5 \x80 \xe9', 'latin1');
  for (let size = 1; size <= 9; size++) {
    t.equal(await read(Buffer.from(text), size), text, `UTF-8 in parts of ${size}`);
    t.equal(await read(Buffer.from(`\uFEFF${text}`), size), text, `with a mark, in parts of ${size}`);
    t.equal(await read(Buffer.from(`\uFEFF${text}`, 'utf16le'), size), text, `UTF-16 in parts of ${size}`);
    t.equal(await read(windows, size), 'email;Straße\na@gmail.com;5 € é', `Windows-1252 in parts of ${size}`);
  }
  t.equal(await read(Buffer.from('a'), 1), 'a');
  t.equal(await read(Buffer.alloc(0), 1), '');
  await t.rejects(
    read(Buffer.concat([Buffer.from('é'), Buffer.from([0x20, 0xe9, 0x20])]), 100),
    { code: 'unreadable_file' },
    'a mix is refused',
  );
});
