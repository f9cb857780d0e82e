/**
 * What Postgres needs beyond its defaults, which are meant for the smallest machine. Every check touches two indexes at
 * random places: they want to lie in memory, and after every checkpoint each page is logged whole once, so these should be rare.
 * The same settings stand in docker-compose.yml and docs/operations.md.
 */
export const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
};
