import type { NamesSetup } from '../../names/messages.ts'
import type { S3Address, S3Credentials } from '../address.ts'

/** What the thread that keeps an index of a bucket's names is started with. */
export interface BucketSetup extends NamesSetup {
  address: S3Address
  credentials: S3Credentials
}
