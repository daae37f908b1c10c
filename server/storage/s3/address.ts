import { AppError } from '../../errors.ts'

/** Where a store is, as `--root s3://bucket/prefix?endpoint=…&region=…` says it. */
export interface S3Address {
  bucket: string
  /** Start of all keys: `''`, or with a slash at its end. */
  prefix: string
  /** Address of the service, without a slash at its end. */
  endpoint: string
  region: string
  /** Whether the bucket is named in the path; else it is in the name of the host. */
  inPath: boolean
}

export interface S3Credentials {
  accessKey: string
  secretKey: string
  /** Of credentials that last for a while only; else `''`. */
  sessionToken: string
}

const REGION = 'us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i
const OPTIONS = ['endpoint', 'region']

/**
 * Reads the address of a store. A service of one's own is asked with the bucket in the path; Amazon's, which is meant
 * without `endpoint`, by the bucket's own host.
 * @throws AppError `bad_request` with a sentence for the console
 */
export function parseS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bucket = decodeURIComponent(url?.hostname ?? '')
  if (!url || !BUCKET.test(bucket)) throw misspelt(text, 'Write s3://bucket/prefix?endpoint=https://…&region=…')
  const unknown = [...url.searchParams.keys()].find(name => !OPTIONS.includes(name))
  if (unknown !== undefined) throw misspelt(text, `There is no option '${unknown}', only endpoint and region.`)
  const names = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  const region = url.searchParams.get('region') ?? REGION
  const endpoint = url.searchParams.get('endpoint')
  return {
    bucket,
    prefix: names.map(name => `${name}/`).join(''),
    endpoint: endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : demandHttp(text, endpoint),
    region,
    inPath: endpoint !== null,
  }
}

/** Whether what has two addresses may lie in each other: their buckets have one name, whatever the service is called. */
export function overlaps(one: S3Address, other: S3Address): boolean {
  if (one.bucket !== other.bucket) return false
  return one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)
}

function demandHttp(text: string, endpoint: string): string {
  if (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)) return endpoint.replace(/\/+$/, '')
  throw misspelt(text, 'The endpoint has to begin with https:// or http://.')
}

const misspelt = (text: string, why: string) =>
  new AppError('bad_request', `The address ${text} makes no sense. ${why}`)
