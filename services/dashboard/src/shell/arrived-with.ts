/** The query that this document was opened with, before the router writes its own. */
export const arrivedWith = window.location.search;
