import type { Cluster } from '../../cluster/cluster.ts'
import type { Environment } from '../../sandbox/environment.ts'
import type { ProgramRunner } from '../../sandbox/run-program.ts'
import type { Cache } from './cache.ts'
import { RenderPool } from './pool.ts'
import { Previews } from './previews.ts'
import { VideoFrames } from './video-frames.ts'

interface PreviewDeps {
  cluster: Cluster
  programs: ProgramRunner
  cache: Cache
  /** Whether programs can read the files of this storage by path. */
  handsOver: boolean
}

/** How the host wants images and videos shown. */
interface PreviewConfig {
  environment: Environment
  imageProcessors: number
  maxImagePixels: number
}

/** The previews of this server, as configured on this host. */
export function openPreviews(config: PreviewConfig, { cluster, programs, cache, handsOver }: PreviewDeps): Previews {
  const { environment, imageProcessors: processors, maxImagePixels: maxPixels } = config
  const frames = new VideoFrames({ programs, environment, handsOver, concurrency: processors, maxPixels })
  return new Previews({ cluster, cache, pool: new RenderPool({ processors }), frames, maxPixels })
}
