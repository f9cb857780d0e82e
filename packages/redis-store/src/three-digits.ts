const TEXTS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** A whole number below a thousand in three digits. Every check in a run writes two. */
export const threeDigits = (number: number): string => TEXTS[number] as string;
