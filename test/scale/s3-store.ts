import type { S3Credentials } from '../../server/storage/s3/address.ts'
import { hasCeph, startCeph } from './ceph.ts'

/** A bucket for tests. */
export interface S3Store {
  credentials: S3Credentials
  /** The value of `--root` for a prefix in it. */
  addressOf(prefix: string): string
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
    addressOf(prefix) {
      const root = new URL(address)
      root.pathname = `/${prefix}`
      return root.href
    },
    env: { AWS_ACCESS_KEY_ID: credentials.accessKey, AWS_SECRET_ACCESS_KEY: credentials.secretKey },
  }
}
