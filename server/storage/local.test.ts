import { conformance } from './conformance.ts'
import { diskPlace } from './local/test-place.ts'

conformance('local disk, held by handles', () => diskPlace('handles'))
conformance('local disk, held by names', () => diskPlace('names'))
