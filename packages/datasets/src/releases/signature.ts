import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** The index as a text with the signature over exactly that text: one file, so that both change in one step. */
const EnvelopeSchema = Type.Object(
  { index: Type.String(), signature: Type.Union([Type.String(), Type.Null()]) },
  { additionalProperties: false },
);

/** A new pair in one line each: base64 of PKCS #8 and of SPKI, as variables and secret files like them. */
export function makeSigningKeys(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

export function readSigningKey(text: string): KeyObject {
  return readKey('DATASETS_SIGNING_KEY', () =>
    createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), type: 'pkcs8', format: 'der' }),
  );
}

/** Several, separated by commas, while a key is being replaced. */
export function readPublicKeys(text: string): KeyObject[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) =>
      readKey('DATASETS_PUBLIC_KEY', () =>
        createPublicKey({ key: Buffer.from(each, 'base64'), type: 'spki', format: 'der' }),
      ),
    );
}

export function seal(index: string, key: KeyObject | undefined): string {
  const signature = key === undefined ? null : sign(null, Buffer.from(index), key).toString('base64');
  return `${JSON.stringify({ index, signature })}\n`;
}

/** The text of the index. With keys, one of them must have signed it. */
export function unseal(envelope: string, keys: readonly KeyObject[]): string {
  const value: unknown = JSON.parse(envelope);
  if (!Value.Check(EnvelopeSchema, value)) throw new Error('index: has the wrong shape');
  const { index, signature } = value;
  if (keys.length === 0) return index;
  if (signature === null)
    throw new Error('index: it is not signed, and DATASETS_PUBLIC_KEY asks for a signature');
  const bytes = Buffer.from(signature, 'base64');
  if (!keys.some((key) => verify(null, Buffer.from(index), key, bytes)))
    throw new Error('index: it is not signed by the key in DATASETS_PUBLIC_KEY');
  return index;
}

function readKey(name: string, read: () => KeyObject): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, without the parser's message: it could quote the key.
  }
  throw new Error(`${name} is not an Ed25519 key (verdict datasets keygen makes one)`);
}
