import { save } from '../../api/download.ts';

const SAMPLE = `name,email,plan
Jane Doe,jane.doe@gmail.com,pro
Jane Again,JANE.DOE@gmail.com,pro
A Slip,john@gmial.com,free
Throw Away,someone@mailinator.com,free
The Office,info@example.com,team
No Address,not-an-address,free
`;

/** A file to try with: a duplicate, a slip, a throw-away address and a row without one. */
export const saveSampleFile = (): void =>
  save(new Blob([SAMPLE], { type: 'text/csv' }), 'verdict-sample.csv');
