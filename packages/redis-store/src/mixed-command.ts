import { Command } from 'ioredis';

type Argument = string | Buffer;

/** Most arguments are short and have one of a few lengths. */
const HEADS = Array.from({ length: 64 }, (_, bytes) => `\r\n$${bytes}\r\n`);
const headOf = (bytes: number): string => HEADS[bytes] ?? `\r\n$${bytes}\r\n`;

/** A text of this length is encoded alone: joined with others it would be copied once more. */
const LONG_CHARS = 512;

/**
 * A command with bytes among its texts. ioredis would encode each argument alone as soon as one is bytes; here all
 * short texts between two of them are one.
 */
export class MixedCommand extends Command {
  /** Takes the list as it is; ioredis would copy it to look for lists and numbers in it. */
  constructor(name: string, args: Argument[]) {
    super(name, [], { replyEncoding: 'utf8' });
    this.args = args;
  }

  override toWritable(): Buffer {
    const { args, name } = this;
    const parts: Buffer[] = [];
    // One join of a list of full length: texts and lists that grow leave what they were behind.
    let texts = new Array<string>(2 * args.length + 4);
    let size = 0;
    const add = (head: string, text: string): void => {
      texts[size++] = head;
      texts[size++] = text;
    };
    add(`*${args.length + 1}`, '');
    add(headOf(name.length), name);
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as Argument;
      if (typeof arg === 'string' && arg.length < LONG_CHARS) add(headOf(Buffer.byteLength(arg)), arg);
      else {
        const bytes = typeof arg === 'string' ? Buffer.from(arg) : arg;
        add(headOf(bytes.length), '');
        parts.push(Buffer.from(texts.join('')), bytes);
        texts = new Array<string>(2 * (args.length - i));
        size = 0;
      }
    }
    add('\r\n', '');
    parts.push(Buffer.from(texts.join('')));
    return Buffer.concat(parts);
  }
}
