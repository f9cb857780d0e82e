/** The meaning of each error status. */
export const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The body, the path or a parameter is wrong; `errors` names the fields.',
  401: 'No credential, or a bad one.',
  403: 'The credential may not do this.',
  404: 'There is nothing at this address, or nothing of yours.',
  409: 'Not in this state.',
  413: 'The body is too large.',
  415: 'The body has a type or an encoding that is not accepted here.',
  416: 'The file has fewer bytes.',
  429: 'Too many requests, or no quota left.',
  500: 'Something went wrong on our side.',
  503: 'A part is away; nothing was charged.',
};

export const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(['409', '429', '503']);
