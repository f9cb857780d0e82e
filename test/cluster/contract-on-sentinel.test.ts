// The whole contract, unchanged, with a master and its replica that three Sentinels watch.
process.env.CONTRACT_REDIS = 'sentinel';
await import('../contract/contract.test.js');
