import { conformance } from './conformance.ts'
import { diskPlace } from './local/test-place.ts'

conformance('local disk, held by handles', () => diskPlace('handles'))
conformance('local disk, held by names', () => diskPlace('names'))
conformance('local disk, held by handles, by the runtime alone', () =>
  diskPlace('handles', undefined, { kernel: 'off' }),
)

const open = { followsOut: true }
conformance('local disk, held by handles, with links out', () => diskPlace('handles', undefined, open), open)
conformance('local disk, held by names, with links out', () => diskPlace('names', undefined, open), open)
