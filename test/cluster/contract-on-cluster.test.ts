// The whole contract, unchanged, with every key on a cluster of three masters and three replicas.
process.env.CONTRACT_REDIS = 'cluster';
await import('../contract/contract.test.js');
