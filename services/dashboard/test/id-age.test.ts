import t from 'tap';
import { idAgeMs } from '../src/api/id-age.ts';

t.test('an id tells when it was created', async (t) => {
  const at = 1_763_287_200_000;
  let rest = at;
  let time = '';
  for (let index = 0; index < 10; index += 1) {
    time = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  t.equal(idAgeMs(`log_${time}ZZZZZZZZZZZZZZZZ`, at + 1500), 1500);
  t.equal(idAgeMs('log_nonsense', at), Number.POSITIVE_INFINITY);
  t.ok(idAgeMs('log_00000000000000000000000000', at) > 1e12, 'an id of zeros is old');
});
