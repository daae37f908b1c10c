import { DOCUMENT_LIMITS } from './document-limits.ts'
import { LINK_LIMITS } from './link-limits.ts'
import { MAIL_LIMITS } from './mail-limits.ts'
import { OFFICE_LIMITS } from './office-limits.ts'
import { SIGN_IN_LIMITS } from './sign-in-limits.ts'

/** A limit on requests and the work that they cause. */
interface Limit {
  value: number
  unit: 'bytes' | 'ms' | 's' | 'count'
  /** What is limited, for the table in docs/security/limits.md. */
  what: string
  /** What happens when it is exceeded: a status, or an effect. */
  beyond: string
}

/**
 * All fixed limits of the server; those of sign-in and wrong passwords, of documents, of links, of mail and of office editors
 * are in the files imported above. Limits that the host can change are settings; limits that the interface also needs are in
 * `shared/limits.ts`.
 */
export const LIMIT_TABLE = {
  headers: { value: 16 * 1024, unit: 'bytes', what: 'Request headers, in total', beyond: '431' },
  headersTimeout: {
    value: 15_000,
    unit: 'ms',
    what: 'Time to receive the request headers',
    beyond: 'connection closed',
  },
  headersCheck: { value: 1000, unit: 'ms', what: 'Interval of the check for late headers', beyond: '–' },
  idleTimeout: {
    value: 120_000,
    unit: 'ms',
    what: 'Idle time of a connection, without a byte in either direction',
    beyond: 'connection closed',
  },
  silentReader: {
    value: 240_000,
    unit: 'ms',
    what: 'Additional time for a client that reads nothing of its response; a slow reader is not limited',
    beyond: 'connection closed',
  },
  connections: { value: 8192, unit: 'count', what: 'Concurrent connections', beyond: 'newest connection closed' },
  jsonBody: { value: 64 * 1024, unit: 'bytes', what: 'JSON request body', beyond: '413' },
  userBody: { value: 256 * 1024, unit: 'bytes', what: 'JSON request body of a user', beyond: '413' },
  brandingLogo: { value: 512 * 1024, unit: 'bytes', what: 'Uploaded logo, and uploaded icon', beyond: '413' },
  brandingPicture: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    what: 'Uploaded picture of the sign-in page',
    beyond: '413',
  },
  jsonDepth: { value: 32, unit: 'count', what: 'Nesting depth of a JSON request body', beyond: '400' },
  xmlBody: { value: 64 * 1024, unit: 'bytes', what: 'XML request body of WebDAV', beyond: '413' },
  xmlDepth: { value: 32, unit: 'count', what: 'Nesting depth of an XML request body', beyond: '400' },
  xmlAttributes: { value: 32, unit: 'count', what: 'Attributes of an XML element', beyond: '400' },
  xmlName: {
    value: 1000,
    unit: 'count',
    what: 'Characters of a name, and of a namespace, in an XML request body',
    beyond: '400',
  },
  xmlNames: { value: 200, unit: 'count', what: 'Properties named in a request of WebDAV', beyond: '400' },
  itemProperties: { value: 100, unit: 'count', what: 'Properties per item that programs set', beyond: '507' },
  davEntries: {
    value: 1_000_000,
    unit: 'count',
    what: 'Items in a listing of WebDAV',
    beyond: '507 for the folder in its last entry',
  },
  davMembers: {
    value: 1000,
    unit: 'count',
    what: 'Items in a response of WebDAV that prevent a change',
    beyond: 'left out',
  },
  davWalks: {
    value: 8,
    unit: 'count',
    what: 'Concurrent listings of WebDAV of all levels, in each server',
    beyond: '503',
  },
  davWalksOfUser: { value: 2, unit: 'count', what: 'Those of one user', beyond: '503' },
  davWait: {
    value: 30 * 60_000,
    unit: 'ms',
    what: 'Time for which COPY and MOVE wait for their job',
    beyond: '504; the job continues',
  },
  davEntriesAtOnce: {
    value: 500,
    unit: 'count',
    what: 'Items that COPY and MOVE copy within their request',
    beyond: 'a job copies',
  },
  davBytesAtOnce: { value: 128 * 1024 ** 2, unit: 'bytes', what: 'Bytes of these', beyond: 'a job copies' },
  davPasswords: {
    value: 1000,
    unit: 'count',
    what: 'Clients of WebDAV whose password is remembered, in each server',
    beyond: 'oldest checked again',
  },
  davPasswordTime: {
    value: 5 * 60_000,
    unit: 'ms',
    what: 'Time for which a password of WebDAV is not checked again',
    beyond: 'password checked',
  },
  manifest: { value: 32 * 1024 ** 2, unit: 'bytes', what: 'Manifest of checksums to compare with', beyond: '413' },
  drain: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    what: 'Rest of a refused request body that is read',
    beyond: 'connection closed',
  },
  socketMessage: {
    value: 64 * 1024,
    unit: 'bytes',
    what: 'WebSocket message from a client',
    beyond: 'close code 1009',
  },
  shutdown: { value: 10_000, unit: 'ms', what: 'Time for running requests at shutdown', beyond: 'requests aborted' },
  openUploads: { value: 1000, unit: 'count', what: 'Unfinished uploads per user', beyond: '429' },
  uploadLifetime: {
    value: 24 * 3_600_000,
    unit: 'ms',
    what: 'Lifetime of an unfinished upload',
    beyond: 'upload deleted',
  },
  openDeliveries: {
    value: 200,
    unit: 'count',
    what: 'Unfinished uploads of all visitors of a file request',
    beyond: '429',
  },
  deliveries: {
    value: 200,
    unit: 'count',
    what: 'Files per page of what arrived by a file request',
    beyond: 'next page',
  },
  jobs: { value: 500, unit: 'count', what: 'Queued and running jobs per user', beyond: '429' },
  runningJobs: { value: 8, unit: 'count', what: 'Running jobs', beyond: 'queued' },
  runningJobsOfUser: { value: 3, unit: 'count', what: 'Running jobs per user', beyond: 'queued' },
  rewindSteps: {
    value: 100_000,
    unit: 'count',
    what: 'Recorded effects that rewinding a folder undoes',
    beyond: '400',
  },
  rewindStays: {
    value: 100,
    unit: 'count',
    what: 'Items in the preview of rewinding a folder that stay as they are',
    beyond: 'counted, not listed',
  },
  rewindLook: {
    value: 5000,
    unit: 'ms',
    what: 'Time to compare items for that preview',
    beyond: 'further items counted as possible',
  },
  snapshotLooks: {
    value: 100,
    unit: 'count',
    what: 'Snapshots that one request looks into',
    beyond: 'rest on request',
  },
  snapshotLookTime: {
    value: 2000,
    unit: 'ms',
    what: 'Time after which a request looks into no further snapshot',
    beyond: 'rest on request',
  },
  duplicateFiles: {
    value: 100_000,
    unit: 'count',
    what: 'Files listed by a search for duplicates',
    beyond: 'groups with the least to gain left out',
  },
  duplicateRuns: {
    value: 20,
    unit: 'count',
    what: 'Remembered searches for duplicates per user',
    beyond: 'oldest deleted',
  },
  slowArchives: { value: 2, unit: 'count', what: 'Concurrent archives in slow formats (xz, bzip2)', beyond: '503' },
  comparedListing: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'Listing that is compared with the ETag of the client',
    beyond: 'full listing sent',
  },
  comparedListings: {
    value: 4,
    unit: 'count',
    what: 'Concurrent comparisons of long listings',
    beyond: 'full listing sent',
  },
  comparedListingTime: {
    value: 10_000,
    unit: 'ms',
    what: 'Time to build such a listing',
    beyond: 'full listing sent',
  },
  slowAnswer: { value: 90_000, unit: 'ms', what: 'Response that tests the time-out of a proxy', beyond: '400' },
  slowAnswers: { value: 4, unit: 'count', what: 'Concurrent responses of that kind', beyond: '429' },
  eventStreams: { value: 32, unit: 'count', what: 'Event streams per user', beyond: '429' },
  judgedChanges: {
    value: 50,
    unit: 'count',
    what: 'Changes of others that are checked for one event stream in 200 ms',
    beyond: 'the others follow',
  },
  subtitle: { value: 5 * 1024 * 1024, unit: 'bytes', what: 'Subtitle file', beyond: '413' },
  previewTime: { value: 10_000, unit: 'ms', what: 'Time to make a preview', beyond: '422, process killed' },
  previewMemory: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    what: 'Memory to make a preview',
    beyond: '422, process killed',
  },
  previewsWaiting: { value: 256, unit: 'count', what: 'Queued previews', beyond: '503' },
  commandsOfUser: { value: 8, unit: 'count', what: 'Running commands per user', beyond: '429' },
  commands: { value: 64, unit: 'count', what: 'Running commands', beyond: '503' },
  commandTime: { value: 60 * 60_000, unit: 'ms', what: 'Run time of a command', beyond: 'command killed' },
  commandOutput: { value: 256 * 1024 * 1024, unit: 'bytes', what: 'Output of a command', beyond: 'command killed' },
  hooksAtOnce: { value: 8, unit: 'count', what: 'Running hooks', beyond: 'queued' },
  hookTime: {
    value: 60_000,
    unit: 'ms',
    what: 'Run time of a hook that an operation waits for',
    beyond: 'hook killed, operation refused',
  },
  sandboxTasks: {
    value: 256,
    unit: 'count',
    what: 'Processes and threads in a sandbox',
    beyond: 'command killed',
  },
  sandboxData: {
    value: 1024 ** 3,
    unit: 'bytes',
    what: 'Data segment of each process in a sandbox',
    beyond: 'allocation fails',
  },
  sandboxMemory: {
    value: 2 * 1024 ** 3,
    unit: 'bytes',
    what: 'Memory of all processes in a sandbox',
    beyond: 'command killed',
  },
  sandboxFiles: {
    value: 64 * 1024 ** 2,
    unit: 'bytes',
    what: 'Files in each temporary folder of a sandbox',
    beyond: 'no space left',
  },
  stars: { value: 1000, unit: 'count', what: 'Starred items per user', beyond: '409' },
  starLost: {
    value: 30 * 24 * 3_600_000,
    unit: 'ms',
    what: 'Time after which the star of an item that is not found gives way to a new one',
    beyond: 'star removed',
  },
  savedSearches: { value: 100, unit: 'count', what: 'Saved searches per user', beyond: '409' },
  tags: { value: 500, unit: 'count', what: 'Tags per user, and shared tags', beyond: '409' },
  itemTags: {
    value: 50,
    unit: 'count',
    what: 'Tags per item: shared ones and those of one user',
    beyond: '`exists` for the item',
  },
  itemComments: { value: 500, unit: 'count', what: 'Comments on an item', beyond: '409' },
  taggedPage: { value: 200, unit: 'count', what: 'Items with a tag per page of their list', beyond: 'next page' },
  notesPage: { value: 200, unit: 'count', what: 'Notes read at a time by a search in them', beyond: 'next page' },
  recents: {
    value: 200,
    unit: 'count',
    what: 'Recent items per user: opened ones, and changed ones',
    beyond: 'oldest forgotten',
  },
  recentDelay: { value: 5000, unit: 'ms', what: 'Time until recent items are written', beyond: '–' },
  linkMisses: { value: 300, unit: 'count', what: 'Unknown share links per minute and address', beyond: '429' },
  locks: { value: 100_000, unit: 'count', what: 'Locks of files and folders', beyond: '507' },
  locksOfUser: { value: 1000, unit: 'count', what: 'Locks per user', beyond: '507' },
  shortestLock: { value: 60_000, unit: 'ms', what: 'Shortest time of a lock', beyond: 'extended' },
  lockOwner: { value: 4096, unit: 'bytes', what: 'Description of the owner of a lock', beyond: '400' },
  ifHeader: { value: 8192, unit: 'bytes', what: 'Header `If`', beyond: '400' },
  ifConditions: { value: 64, unit: 'count', what: 'Conditions in a header `If`', beyond: '400' },
  listedLocks: { value: 1000, unit: 'count', what: 'Locks below a folder in their list', beyond: 'left out' },
  linkVisit: {
    value: 30 * 60_000,
    unit: 'ms',
    what: 'Time in which one network opening a share link again counts as the same visit, in each server',
    beyond: 'counted again',
  },
  apiTokens: { value: 50, unit: 'count', what: 'API tokens per user', beyond: '409' },
  wrongTokens: {
    value: 300,
    unit: 'count',
    what: 'Wrong API tokens per minute and network, in each server',
    beyond: '429 for further wrong ones',
  },
  providerTime: {
    value: 5000,
    unit: 'ms',
    what: 'Response time of an OpenID provider',
    beyond: 'sign-in refused',
  },
  providerAnswer: {
    value: 1024 ** 2,
    unit: 'bytes',
    what: 'Response of an OpenID provider',
    beyond: 'sign-in refused',
  },
  grants: { value: 500, unit: 'count', what: 'Files and folders that a user shares with others', beyond: '409' },
  recipients: {
    value: 20,
    unit: 'count',
    what: 'Users and groups found by a part of their name',
    beyond: 'left out',
  },
  groups: { value: 1000, unit: 'count', what: 'Groups of users', beyond: '409' },
  mounts: { value: 1000, unit: 'count', what: 'Folders of other roots given to users', beyond: '409' },
  groupMembersPage: {
    value: 200,
    unit: 'count',
    what: 'Members of a group per page of their list',
    beyond: 'next page',
  },
  accessCache: {
    value: 10_000,
    unit: 'count',
    what: 'Users whose groups a server remembers',
    beyond: 'read again with the next request',
  },
  outboundTime: { value: 10_000, unit: 'ms', what: 'Request of a webhook, with its response', beyond: 'failed try' },
  outboundConnect: { value: 5000, unit: 'ms', what: 'Connection of a webhook', beyond: 'failed try' },
  outboundAnswer: { value: 2048, unit: 'bytes', what: 'Response to a webhook that is read', beyond: 'cut' },
  webhooks: { value: 100, unit: 'count', what: 'Webhooks of administrators', beyond: '409' },
  webhooksOfUser: { value: 10, unit: 'count', what: 'Webhooks of one user', beyond: '409' },
  webhookBody: { value: 64 * 1024, unit: 'bytes', what: 'Body of a webhook', beyond: 'event dropped' },
  webhookCalls: { value: 16, unit: 'count', what: 'Concurrent requests of webhooks', beyond: 'queued' },
  webhookCallsOfOne: { value: 2, unit: 'count', what: 'Of these, requests of one webhook', beyond: 'queued' },
  webhookItems: { value: 500, unit: 'count', what: 'Items of one job that are events of webhooks', beyond: 'no event' },
  webhookQuiet: {
    value: 2000,
    unit: 'ms',
    what: 'Time in which equal events about one path are one',
    beyond: 'event of its own',
  },
  webhookHold: {
    value: 5 * 60_000,
    unit: 'ms',
    what: 'Time for which the events of a file wait that a program has locked',
    beyond: 'sent',
  },
  healthLook: { value: 3_600_000, unit: 'ms', what: 'Time between two looks for errors to mail', beyond: 'seen later' },
  webhooksWaiting: {
    value: 10_000,
    unit: 'count',
    what: 'Events that wait for one webhook',
    beyond: 'event dropped and counted',
  },
  quotaLost: { value: 60_000, unit: 'ms', what: 'Their age of a server that has ended', beyond: 'homes counted again' },
  databaseConnect: {
    value: 15_000,
    unit: 'ms',
    what: 'Connection to PostgreSQL, and wait for a free one',
    beyond: '503',
  },
  ...SIGN_IN_LIMITS,
  playTicket: { value: 12 * 3600, unit: 's', what: 'Lifetime of an address for players', beyond: '401' },
  playLinks: { value: 100, unit: 'count', what: 'Addresses for players that a user gets in an hour', beyond: '429' },
  playlistFiles: { value: 1000, unit: 'count', what: 'Files in a playlist for players', beyond: 'left out' },
  contentTicket: { value: 3 * 3600, unit: 's', what: 'Lifetime of a ticket for the content origin', beyond: '401' },
  ...DOCUMENT_LIMITS,
  ...LINK_LIMITS,
  ...MAIL_LIMITS,
  ...OFFICE_LIMITS,
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMIT_TABLE

/** The values of `LIMIT_TABLE`. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<LimitName, number>>
