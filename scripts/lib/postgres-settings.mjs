/**
 * What Postgres needs beyond its defaults, which are meant for the smallest machine. Every check touches two indexes at
 * random places: they want to lie in memory, and after every checkpoint each page is logged whole once, so these
 * should be rare. docker-compose.yml sets the same, with buffers that fit its memory limit; docs/operations.md says why.
 */
export const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
};
