import { parseS3Address, type S3Credentials } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { hasCeph, startCeph } from './ceph.ts'

/** A bucket for tests. */
export interface S3Store {
  credentials: S3Credentials
  /** The value of `--root` for a prefix in it, or in another bucket of the store. */
  addressOf(prefix: string, bucket?: string): string
  /** The variables with its credentials. */
  env: Record<string, string>
}

/** `FILIGREE_TEST_S3=s3://bucket?endpoint=…`, with the credentials in the usual variables; else a store is started. */
const NAMED = process.env.FILIGREE_TEST_S3

export const hasS3 = NAMED !== undefined || hasCeph

let shared: Promise<S3Store> | undefined

/** The bucket that the tests of one process share. */
export function sharedS3(): Promise<S3Store> {
  shared ??= findStore()
  return shared
}

async function findStore(): Promise<S3Store> {
  const { AWS_ACCESS_KEY_ID: accessKey = '', AWS_SECRET_ACCESS_KEY: secretKey = '' } = process.env
  const lent = NAMED && { address: NAMED, credentials: { accessKey, secretKey, sessionToken: '' } }
  const { address, credentials } = lent || (await startCeph())
  return {
    credentials,
    addressOf(prefix, bucket) {
      const root = new URL(address)
      if (bucket !== undefined) root.hostname = bucket
      root.pathname = `/${prefix}`
      return root.href
    },
    env: { AWS_ACCESS_KEY_ID: credentials.accessKey, AWS_SECRET_ACCESS_KEY: credentials.secretKey },
  }
}

let versioned: Promise<string> | undefined

/** The name of a bucket that keeps the versions of its objects; made when it is first asked for. */
export function versionedBucket(): Promise<string> {
  versioned ??= makeVersioned()
  return versioned
}

async function makeVersioned(): Promise<string> {
  const { credentials, addressOf } = await sharedS3()
  const bucket = 'filigree-versions'
  const client = new S3Client(parseS3Address(addressOf('', bucket)), credentials)
  const on = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
  await client.ask({ method: 'PUT' }).catch(() => {})
  await client.ask({ method: 'PUT', query: { versioning: '' }, body: Buffer.from(on) })
  client.close()
  return bucket
}
