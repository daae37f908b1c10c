import { AppError } from '../../errors.ts'

/** The location of a store, as in `--root s3://bucket/prefix?endpoint=…&region=…`. */
export interface S3Address {
  bucket: string
  /** Prefix of all keys: `''`, or with a trailing slash. */
  prefix: string
  /** URL of the service, without a trailing slash. */
  endpoint: string
  region: string
  /** Whether the bucket is addressed in the path; otherwise in the host name. */
  inPath: boolean
}

export interface S3Credentials {
  accessKey: string
  secretKey: string
  /** Of temporary credentials; otherwise `''`. */
  sessionToken: string
}

const REGION = 'us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i
const OPTIONS = ['endpoint', 'region']

/**
 * Parses the address of a store. A custom endpoint is addressed path-style; Amazon's, the default, by the bucket's host
 * name.
 * @throws AppError `bad_request` with a message for the console
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

/** Whether two addresses may overlap: buckets of the same name count as the same, whatever the endpoint. */
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
