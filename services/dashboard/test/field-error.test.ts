import t from 'tap';
import { ApiError } from '../src/api/api-error.ts';
import { fieldError } from '../src/ui/error/field-error.ts';
import { messageOf } from '../src/ui/error/message-of.ts';

const refused = (field: string, message: string) =>
  new ApiError(400, 'invalid_request', `${field}: ${message}`, [{ field, message }]);

t.test('a field error is said once, with the word of the label', async (t) => {
  const error = refused('otp', 'is wrong, or was used before');
  t.equal(fieldError(error, 'otp', 'Code'), 'Code is wrong, or was used before');
  t.equal(fieldError(error, 'password', 'Password'), null);
  t.equal(
    fieldError(refused('domain', 'the domain has no dot'), 'domain', 'Domain'),
    'The domain has no dot',
  );
  t.equal(
    fieldError(refused('allowed_ips.1', 'must be a string'), 'allowed_ips', 'Allowed IPs'),
    'Allowed IPs must be a string',
  );
  t.equal(fieldError(new TypeError('x'), 'otp', 'Code'), null);
});

t.test('one line has no field names of the API', async (t) => {
  t.equal(messageOf(refused('current_password', 'is wrong')), 'Current password is wrong');
  t.equal(messageOf(new ApiError(409, 'job_state', 'The job is running.')), 'The job is running.');
  t.equal(messageOf(new TypeError('x')), 'Something on this page failed.');
});
