import { Verdict, VerdictError } from '@verdict/sdk';
import express, { type Express } from 'express';

// VERDICT_URL and VERDICT_API_KEY come from the environment.
const verdict = new Verdict({ fallback: 'challenge' });

export const app: Express = express();
app.use(express.json(), express.urlencoded());

app.post('/sign-up', async (request, response) => {
  try {
    const { decision } = await verdict.check({ email: request.body?.email, ip: request.ip });
    if (decision === 'block') response.status(403).json({ message: 'Please use another address.' });
    else response.json({ next: decision === 'allow' ? 'welcome' : 'confirm-your-address' });
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    response.status(400).json({ message: error.message });
  }
});
