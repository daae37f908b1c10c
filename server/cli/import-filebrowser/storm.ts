import { AppError } from '../../errors.ts'
import { damaged } from './bolt/errors.ts'
import { type Bolt, type Bucket, itemsOf, rootOf } from './bolt/pages.ts'

const METADATA = '__storm_metadata'
const CODEC = 'codec'

/**
 * The records of a bucket by key, without indexes; `undefined` when the bucket does not exist.
 * @throws AppError `bad_request` for records that are not JSON
 */
export function recordsIn(bolt: Bolt, name: string): Map<string, unknown> | undefined {
  const bucket = bucketIn(bolt, rootOf(bolt), name)
  if (!bucket) return undefined
  demandJson(bolt, bucket, name)
  const records = new Map<string, unknown>()
  for (const item of itemsOf(bolt, bucket)) {
    if ('value' in item) records.set(keyOf(item.key), parse(item.value, `${name}/${keyOf(item.key)}`))
  }
  return records
}

function bucketIn(bolt: Bolt, parent: Bucket, name: string): Bucket | undefined {
  const found = itemsOf(bolt, parent).find(({ key }) => key.toString('latin1') === name)
  return found && 'bucket' in found ? found.bucket : undefined
}

/** Buckets name the codec of their records; those of very old versions do not, and are assumed to be JSON. */
function demandJson(bolt: Bolt, bucket: Bucket, name: string): void {
  const metadata = bucketIn(bolt, bucket, METADATA)
  if (!metadata) return
  const item = itemsOf(bolt, metadata).find(({ key }) => key.toString('latin1') === CODEC)
  const codec = item && 'value' in item ? item.value.toString('latin1') : 'json'
  if (codec === 'json') return
  throw new AppError('bad_request', `The records of ${name} are encoded as ${JSON.stringify(codec)}, not as JSON.`)
}

/** A key as text, without the quotes of older versions; binary keys in hexadecimal. */
function keyOf(key: Buffer): string {
  const text = key.toString('latin1')
  return /^"?[!-~]+"?$/.test(text) ? text.replace(/^"(.*)"$/, '$1') : key.toString('hex')
}

function parse(value: Buffer, where: string): unknown {
  try {
    return JSON.parse(value.toString('utf8'))
  } catch {
    throw damaged(`the record ${where} is invalid`)
  }
}
