import { InvalidArgumentError, Option } from 'commander';

export const countryOption = (): Option =>
  new Option('--country <code>', 'ISO 3166, two letters, such as DE').argParser((text: string) => {
    if (!/^([A-Za-z]{2})?$/.test(text))
      throw new InvalidArgumentError('Say a country as two letters, such as DE.');
    return text.toUpperCase();
  });
