/** Everything after the last @ of an address; of a canonical one, its domain in A-labels. */
export const domainOfAddress = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
