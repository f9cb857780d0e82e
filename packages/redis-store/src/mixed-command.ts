import { Command } from 'ioredis';

type Argument = string | Buffer;

/**
 * A command with bytes among its texts. ioredis would encode each argument alone as soon as one is bytes; here all
 * texts between two of them are one.
 */
export class MixedCommand extends Command {
  /** Takes the list as it is; ioredis would copy it to look for lists and numbers in it. */
  constructor(name: string, args: Argument[]) {
    super(name, [], { replyEncoding: 'utf8' });
    this.args = args;
  }

  override toWritable(): Buffer {
    const parts: Buffer[] = [];
    let text = `*${this.args.length + 1}\r\n$${this.name.length}\r\n${this.name}\r\n`;
    for (const arg of this.args) {
      if (typeof arg === 'string') text += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
      else {
        const bytes = arg as Buffer;
        parts.push(Buffer.from(`${text}$${bytes.length}\r\n`), bytes);
        text = '\r\n';
      }
    }
    parts.push(Buffer.from(text));
    return Buffer.concat(parts);
  }
}
