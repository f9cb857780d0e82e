import { Verdict, VerdictError } from '@verdict/sdk';
import express, { type Express } from 'express';

const verdict = new Verdict({
  apiKey: process.env.VERDICT_API_KEY ?? '',
  baseUrl: process.env.VERDICT_URL ?? 'http://localhost:8080/api/v1/',
  fallback: 'challenge',
});

export const app: Express = express();
app.use(express.json());

app.post('/sign-up', async (request, response) => {
  try {
    const { decision } = await verdict.check({ email: String(request.body.email), ip: request.ip ?? null });
    if (decision === 'block') response.status(403).json({ message: 'Please use another address.' });
    else response.json({ next: decision === 'allow' ? 'welcome' : 'confirm-your-address' });
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    response.status(400).json({ message: error.message });
  }
});
