import { Verdict, VerdictError } from '@verdict/sdk';
import express, { type Express } from 'express';

// VERDICT_URL and VERDICT_API_KEY come from the environment.
const verdict = new Verdict({ fallback: 'challenge' });

export const app: Express = express();
// One proxy of yours in front: request.ip is what that proxy saw, not what a visitor wrote into X-Forwarded-For.
app.set('trust proxy', 1);
app.use(express.json(), express.urlencoded());

app.post('/sign-up', async (request, response) => {
  try {
    const { decision, fallback } = await verdict.check({ email: request.body?.email, ip: request.ip });
    if (fallback)
      console.warn(
        fallback.quotaUsedUp ? 'checks are used up' : 'no verdict',
        fallback.code,
        fallback.message,
      );
    if (decision === 'block') response.status(403).json({ message: 'Please use another address.' });
    else response.json({ next: decision === 'allow' ? 'welcome' : 'confirm-your-address' });
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    response.status(400).json({ message: error.message });
  }
});
