import { describe } from 'vitest'
import { conformance } from './conformance.ts'
import { openLocalCluster } from './local.ts'

describe('the cluster of a single process', () => {
  conformance(async () => {
    const cluster = openLocalCluster()
    return [cluster, cluster]
  })
})
