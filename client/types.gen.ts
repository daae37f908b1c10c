// Written by test/docs/write-client-types.ts from the description of the API.

export type ErrorCode = "bad_request" | "bad_path" | "name_too_long" | "incomplete_body" | "body_too_large" | "unauthorized" | "wrong_credentials" | "token_scope" | "confirm_first" | "second_factor_required" | "second_factor_setup" | "identity_refused" | "too_many_attempts" | "forbidden" | "outside_scope" | "special_file" | "no_home" | "not_found" | "limit_reached" | "link_paused" | "wrong_host" | "method_not_allowed" | "locked" | "no_lock" | "exists" | "is_a_folder" | "not_a_folder" | "precondition_failed" | "range_not_satisfiable" | "wrong_media_type" | "undecodable" | "encrypted" | "wrong_offset" | "checksum_mismatch" | "no_space" | "quota_exceeded" | "no_trash" | "too_far" | "gone" | "changed_since" | "read_only" | "server_refused" | "hook_refused" | "hook_failed" | "no_sandbox" | "not_indexed" | "unavailable" | "provider_unavailable" | "unsupported" | "internal"

export type FileResource = { path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: false; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; subtitles?: Array<string>; content?: string; resolution?: { width: number; height: number }; checksums?: { [name: string]: string } }

export type FolderResource = { path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: true; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; items: Array<ResourceItem>; numDirs: number; numFiles: number; sorting: { by: "name" | "size" | "modified" | "kind"; asc: boolean } }

export type Job = { id: string; kind: "copy" | "move" | "rename" | "delete" | "archive" | "extract" | "verify" | "duplicates" | "resolve" | "undo" | "rewind" | "empty"; userID: number; state: "waiting" | "running" | "paused" | "done" | "cancelled"; code?: string; created: string; runAt: string; via?: "dav"; scheduled: boolean; started?: string; ended?: string; change?: string; count: { total: number; done: number; skipped: number; failed: number; cancelled: number }; unkept?: number; progress: { bytes: number; entries: number; bytesTotal?: number; entriesTotal?: number }; first: { from: string; to?: string }; items?: Array<JobItem> }

export type JobItem = { from: string; to?: string; member?: string; state: "waiting" | "running" | "done" | "skipped" | "failed" | "cancelled"; code?: string; bytes?: number; kept?: string }

export type Permissions = { admin: boolean; execute: boolean; create: boolean; rename: boolean; modify: boolean; delete: boolean; share: boolean; download: boolean }

export type Problem = { type: "about:blank"; title: string; status: number; detail?: string; code: ErrorCode; mounts?: Array<string>; bytes?: number }

export type RecursiveItem = { path: string; name: string; size: number; modified: string; isDir: boolean }

export type Resource = FolderResource | FileResource

export type ResourceItem = { path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: boolean; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | "" }

export type Rule = { regex: boolean; allow: boolean; path: string; regexp: { raw: string } | null }

export type SearchHit = { path: string; dir: boolean; match?: { line: number; text: string }; size?: number; modified?: string }

export type SettingsAnswer = { signup: boolean; hideLoginButton: boolean; createUserDir: boolean; minimumPasswordLength: number; userHomeBasePath: string; defaults: { scope: string; locale: string; viewMode: "list" | "mosaic" | "mosaic gallery"; singleClick: boolean; redirectAfterCopyMove: boolean; sorting: { by: "name" | "size" | "modified" | "kind"; asc: boolean }; perm: Permissions; commands: Array<string>; hideDotfiles: boolean; dateFormat: boolean; aceEditorTheme: string }; rules: Array<Rule>; branding: { name: string; disableExternal: boolean; disableUsedPercentage: boolean; files: string; theme: "" | "light" | "dark" | "auto"; color: string }; tus: { chunkSize: number; retryCount: number }; shell: Array<string>; commands: { before_save: Array<string>; after_save: Array<string>; before_copy: Array<string>; after_copy: Array<string>; before_rename: Array<string>; after_rename: Array<string>; before_upload: Array<string>; after_upload: Array<string>; before_delete: Array<string>; after_delete: Array<string> }; authMethod: "json" | "proxy" | "hook" | "noauth" }

export type ShareLink = { hash: string; path: string; userID: number; expire: number; hasPassword: boolean; username?: string; label?: string; slug?: string; maxDownloads?: number; paused?: string; shut?: "folder" | "rights" | "owner"; previewOnly?: true; kind?: "edit" | "drop"; note?: string; sender?: "no" | "optional" | "required"; maxFileBytes?: number | null; maxBytes?: number | null; maxItems?: number | null; rights?: Array<"create" | "rename" | "modify" | "delete">; id?: string; received?: { items: number; bytes: number }; used?: { views: number; downloads: number; last: string }; created?: string }

export type UsageAnswer = { total: number; used: number; below?: { bytes: number; files: number; folders: number; unread?: number } }

export type User = { id: number; username: string; password: string; scope: string; locale: string; lockPassword: boolean; viewMode: "list" | "mosaic" | "mosaic gallery"; singleClick: boolean; redirectAfterCopyMove: boolean; perm: Permissions; commands: Array<string>; sorting: { by: "name" | "size" | "modified" | "kind"; asc: boolean }; rules: Array<Rule>; hideDotfiles: boolean; dateFormat: boolean; aceEditorTheme: string }

export type UserInput = { id?: number | null; username?: string | null; password?: string | null; scope?: string | null; locale?: string | null; lockPassword?: boolean | null; viewMode?: "" | "list" | "mosaic" | "mosaic gallery" | null; singleClick?: boolean | null; redirectAfterCopyMove?: boolean | null; perm?: { admin?: boolean | null; execute?: boolean | null; create?: boolean | null; rename?: boolean | null; modify?: boolean | null; delete?: boolean | null; share?: boolean | null; download?: boolean | null } | null; commands?: Array<string> | null; sorting?: { by?: "" | "name" | "size" | "modified" | "kind" | null; asc?: boolean | null } | null; rules?: Array<{ regex?: boolean | null; allow?: boolean | null; path?: string | null; regexp?: { raw?: string | null } | null }> | null; hideDotfiles?: boolean | null; dateFormat?: boolean | null; aceEditorTheme?: string | null }

/** Bodies of requests in JSON, by call. */
export interface Bodies {
  'POST /api/login': { username: string; password: string; otp?: string | null; recaptcha?: string | null } | null
  'POST /api/login/factor': { ticket: string; code?: string | null; passkey?: { id: string; rawId: string; type: "public-key"; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } } | null; remember?: boolean | null }
  'POST /api/login/passkey': { ticket: string; response: { id: string; rawId: string; type: "public-key"; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } } }
  'POST /api/login/factor/passkey': { ticket: string }
  'POST /api/login/enrol/totp': { ticket: string }
  'POST /api/login/enrol/totp/confirm': { code: string; ticket: string }
  'POST /api/login/enrol/passkey/options': { ticket: string }
  'POST /api/login/enrol/passkey': { ticket: string; label: string; response: { id: string; rawId: string; type: "public-key"; response: { clientDataJSON: string; attestationObject: string; transports?: Array<string> | null } } }
  'POST /api/account/confirm': { current_password?: string | null; code?: string | null; ticket?: string | null; passkey?: { id: string; rawId: string; type: "public-key"; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } } | null }
  'POST /api/signup': { username?: string | null; password?: string | null } | null
  'POST /api/oidc/{slug}/link': { current_password?: string | null; redirect?: string }
  'POST /api/oidc/{slug}/confirm': { redirect?: string }
  'POST /api/oidc/{slug}/trial': { current_password?: string | null }
  'POST /api/login/handover': { code: string }
  'POST /api/directories/{slug}/trial': { username: string; password?: string | null; current_password?: string | null }
  'DELETE /api/account/identities/{slug}': { current_password?: string | null } | null
  'POST /api/play-links': { path: string }
  'POST /api/trash/restore': { items: Array<{ id: string; inner?: string; to?: string }>; conflict?: "keepBoth" | "replace" | "skip"; choices?: { [name: string]: "keepBoth" | "replace" | "skip" } }
  'POST /api/trash/purge': { ids?: Array<string>; all?: boolean; mine?: boolean; before?: string }
  'POST /api/trash/conflicts': { items: Array<{ id: string; inner?: string; to?: string }> }
  'POST /api/trash/empty': { mine?: boolean; before?: string }
  'POST /api/versions/{path}': { id: string; how: "replace" | "copy"; to?: string }
  'PATCH /api/kept/{id}': { label?: string; pinned?: boolean }
  'POST /api/snapshots/{path}': { at: string; from?: string; conflict?: "keepBoth" | "replace" | "skip" }
  'POST /api/changes/{id}/undo': { dry?: boolean; steps?: Array<number>; choices?: { [name: string]: "keepBoth" | "replace" | "skip" }; conflict?: "keepBoth" | "replace" | "skip"; offers?: { [name: string]: "trash" | "copy" | "over" | "settings" }; offer?: "trash" | "copy" | "over" | "settings" }
  'POST /api/changes/rewind': { folder: string; to: string; dry?: boolean }
  'POST /api/stars/order': { ids: Array<string> }
  'POST /api/tags': { name: string; colour: "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink" | "grey"; shared?: boolean }
  'PATCH /api/tags/{id}': { name?: string; colour?: "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink" | "grey" }
  'PUT /api/tagged': { paths: Array<string>; add?: Array<string>; remove?: Array<string> }
  'PUT /api/notes/{path}': { text: string }
  'POST /api/comments/{path}': { text: string }
  'PATCH /api/comment/{id}': { text: string }
  'PATCH /api/recent': { remember: boolean }
  'POST /api/office/open': { path: string; mode?: "edit" | "view" }
  'PATCH /api/integrity/findings/{id}': { state: "accepted" | "restored"; from?: string }
  'POST /api/conflicts': { items: Array<{ from: string; to: string }> }
  'POST /api/rename/facts': { paths: Array<string> }
  'POST /api/jobs': { kind: "copy" | "move" | "rename" | "delete" | "archive" | "extract" | "verify" | "duplicates" | "resolve"; items: Array<{ from: string; to?: string; conflict?: "replace" | "keepBoth" | "skip" | "skipIdentical" | "replaceOlder" }>; conflict?: "replace" | "keepBoth" | "skip" | "skipIdentical" | "replaceOlder"; choices?: { [name: string]: "replace" | "keepBoth" | "skip" | "skipIdentical" | "replaceOlder" }; seen?: { [name: string]: string }; permanent?: boolean; verify?: boolean; least?: number; act?: "trash" | "reflink" | "link"; copy?: boolean; archive?: { to: string; format: string }; runAt?: string }
  'PATCH /api/jobs/{id}': { paused: boolean }
  'POST /api/searches': { name: string; query: string; folder?: string; everywhere?: boolean; inContents?: boolean }
  'PATCH /api/searches/{id}': { name: string }
  'POST /api/share/{path}': { password?: string | null; expires?: string | number | null; unit?: string | null; kind?: "view" | "edit" | "drop"; rights?: Array<"create" | "rename" | "modify" | "delete">; label?: string; slug?: string | null; maxDownloads?: number | null; previewOnly?: boolean; note?: string; sender?: "no" | "optional" | "required"; maxFileBytes?: number | null; maxBytes?: number | null; maxItems?: number | null } | null
  'PATCH /api/links/{hash}': { expire?: number; password?: string | null; paused?: boolean; rights?: Array<"create" | "rename" | "modify" | "delete">; label?: string; slug?: string | null; maxDownloads?: number | null; previewOnly?: boolean; note?: string; sender?: "no" | "optional" | "required"; maxFileBytes?: number | null; maxBytes?: number | null; maxItems?: number | null }
  'POST /api/grants': { path: string; to: { kind: "user" | "group"; id: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note?: string; expires?: string | null }
  'PATCH /api/grants/{id}': { rights?: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note?: string; expires?: string | null }
  'POST /api/users/{id}/handover': { to: number; move?: boolean; current_password?: string | null }
  'PUT /api/users/{id}/disabled': { disabled: boolean; current_password?: string | null }
  'PUT /api/users/{id}/home': { home: "scope" | "none" }
  'POST /api/users': { what: "user"; which?: Array<string> | null; data: UserInput; current_password?: string | null }
  'PUT /api/users/{id}': { what: "user"; which?: Array<string> | null; data: UserInput; current_password?: string | null }
  'DELETE /api/users/{id}': { current_password?: string | null } | null
  'POST /api/groups': { name: string; description?: string | null; perm?: { admin?: boolean | null; execute?: boolean | null; create?: boolean | null; rename?: boolean | null; modify?: boolean | null; delete?: boolean | null; share?: boolean | null; download?: boolean | null } | null; rules?: Array<{ regex?: boolean | null; allow?: boolean | null; path?: string | null; regexp?: { raw?: string | null } | null }> | null; current_password?: string | null }
  'PUT /api/groups/order': { ids: Array<string> }
  'PUT /api/groups/{id}': { name: string; description?: string | null; perm?: { admin?: boolean | null; execute?: boolean | null; create?: boolean | null; rename?: boolean | null; modify?: boolean | null; delete?: boolean | null; share?: boolean | null; download?: boolean | null } | null; rules?: Array<{ regex?: boolean | null; allow?: boolean | null; path?: string | null; regexp?: { raw?: string | null } | null }> | null; current_password?: string | null }
  'PUT /api/groups/{id}/members/{user}': { expires?: string | null; current_password?: string | null } | null
  'POST /api/mounts': { name: string; root: string; folder?: string; make?: boolean; readOnly?: boolean }
  'PUT /api/mounts/{id}': { name: string; readOnly: boolean; quotaBytes?: number | null; quotaItems?: number | null }
  'PATCH /api/roots/{name}': { label?: string; accept?: true; quotaBytes?: number | null; quotaItems?: number | null }
  'PUT /api/mounts/{id}/access/{kind}/{subject}': { rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share" | "inherit">; expires?: string | null }
  'POST /api/tokens': { label: string; scopes: Array<"read" | "write" | "share" | "admin">; folders?: Array<string> | null; networks?: Array<string> | null; expires?: string | null; current_password?: string | null }
  'PATCH /api/tokens/{id}': { label: string }
  'POST /api/account/totp': { current_password?: string | null } | null
  'DELETE /api/account/totp': { current_password?: string | null } | null
  'POST /api/account/totp/confirm': { code: string }
  'POST /api/account/recovery': { current_password?: string | null } | null
  'DELETE /api/users/{id}/factors': { current_password?: string | null } | null
  'POST /api/account/passkeys/options': { current_password?: string | null } | null
  'POST /api/account/passkeys': { ticket: string; label: string; response: { id: string; rawId: string; type: "public-key"; response: { clientDataJSON: string; attestationObject: string; transports?: Array<string> | null } } }
  'PATCH /api/account/passkeys/{id}': { label: string }
  'DELETE /api/account/passkeys/{id}': { current_password?: string | null } | null
  'PUT /api/settings': { signup?: boolean | null; hideLoginButton?: boolean | null; createUserDir?: boolean | null; minimumPasswordLength?: number | null; userHomeBasePath?: string | null; defaults?: { scope?: string | null; locale?: string | null; viewMode?: "" | "list" | "mosaic" | "mosaic gallery" | null; singleClick?: boolean | null; redirectAfterCopyMove?: boolean | null; sorting?: { by?: "" | "name" | "size" | "modified" | "kind" | null; asc?: boolean | null } | null; perm?: { admin?: boolean | null; execute?: boolean | null; create?: boolean | null; rename?: boolean | null; modify?: boolean | null; delete?: boolean | null; share?: boolean | null; download?: boolean | null } | null; commands?: Array<string> | null; hideDotfiles?: boolean | null; dateFormat?: boolean | null; aceEditorTheme?: string | null } | null; rules?: Array<{ regex?: boolean | null; allow?: boolean | null; path?: string | null; regexp?: { raw?: string | null } | null }> | null; branding?: { name?: string | null; disableExternal?: boolean | null; disableUsedPercentage?: boolean | null; files?: string | null; theme?: "" | "light" | "dark" | "auto" | null; color?: string | null } | null; tus?: { chunkSize?: number | null; retryCount?: number | null } | null; shell?: Array<string> | null; commands?: { [name: string]: Array<string> | null } | null }
  'PUT /api/settings/access': { secondFactor?: { require: "none" | "admins" | "groups" | "all"; groups: Array<string>; from: string | null; graceDays: number; trustProviders?: boolean }; links?: { kinds: Array<"view" | "edit" | "drop">; password: "optional" | "required"; maxDays: number; slugs: "off" | "locked" | "open" } }
  'PUT /api/quotas/users/{id}': { bytes?: number | null; items?: number | null }
  'PUT /api/quotas/groups/{id}': { bytes?: number | null; items?: number | null }
  'POST /api/webhooks': { name: string; url: string; types?: Array<"file.uploaded" | "file.saved" | "file.downloaded" | "folder.created" | "item.copied" | "item.moved" | "item.deleted" | "item.restored" | "archive.packed" | "archive.extracted" | "share.created" | "share.removed" | "share.opened" | "share.uploaded" | "login.succeeded" | "login.blocked" | "login.newDevice" | "user.created" | "user.changed" | "user.removed" | "settings.changed" | "job.finished" | "quota.warning">; folder?: string; pattern?: string; enabled?: boolean }
  'PUT /api/webhooks/{id}': { name: string; url: string; types?: Array<"file.uploaded" | "file.saved" | "file.downloaded" | "folder.created" | "item.copied" | "item.moved" | "item.deleted" | "item.restored" | "archive.packed" | "archive.extracted" | "share.created" | "share.removed" | "share.opened" | "share.uploaded" | "login.succeeded" | "login.blocked" | "login.newDevice" | "user.created" | "user.changed" | "user.removed" | "settings.changed" | "job.finished" | "quota.warning">; folder?: string; pattern?: string; enabled?: boolean }
  'POST /api/mail/test': { address: string }
  'PUT /api/account/mail': { address?: string; notices?: boolean; off?: Array<"share.uploaded" | "grant.received" | "quota.warning" | "job.failed" | "job.done" | "webhook.off" | "mail.dead" | "health.red">; current_password?: string | null }
  'POST /api/users/{id}/invitation': { address: string; current_password?: string | null }
  'POST /api/users/{id}/one-time-link': { current_password?: string | null } | null
  'POST /api/links/{hash}/invitations': { addresses: Array<string>; text?: string }
  'POST /api/password-reset': { name: string }
  'POST /api/mail-links/look': { link: string }
  'POST /api/mail-links/use': { link: string; password?: string }
  'PUT /api/doctor/settings/{name}': { text: string }
}

/** Bodies of successful responses in JSON, by call. */
export interface Answers {
  'POST /api/login/passkey/options': { ticket: string; options: { [name: string]: unknown } }
  'POST /api/login/factor/passkey': { ticket: string; options: { [name: string]: unknown } }
  'POST /api/login/enrol/totp': { secret: string; address: string; ticket: string }
  'POST /api/login/enrol/totp/confirm': { token: string; codes: Array<string> }
  'POST /api/login/enrol/passkey/options': { ticket: string; options: { [name: string]: unknown } }
  'POST /api/login/enrol/passkey': { token: string; codes: Array<string> }
  'POST /api/account/confirm/options': { ticket: string; options: { [name: string]: unknown } }
  'GET /api/sessions': Array<{ id: string; current: boolean; created: string; seen: string; address: string; agent: string; factors: Array<"pwd" | "totp" | "recovery" | "passkey" | "device" | "oidc" | "mfa" | "proxy" | "hook" | "token"> }>
  'GET /api/users/seen': Array<{ id: number; seen: string }>
  'POST /api/oidc/{slug}/link': { location: string }
  'POST /api/oidc/{slug}/confirm': { location: string }
  'POST /api/oidc/{slug}/trial': { location?: string; trial?: { kind: "oidc" | "ldap"; slug: string; label: string; steps: Array<{ step: "description" | "token" | "userInfo" | "connection" | "entry" | "password" | "groups"; found?: string; failed?: string }>; arrived?: { claims: Array<{ name: string; value: string }>; groups: Array<string>; groupsHere: Array<string>; groupsMissing: Array<string>; account: { outcome: "known" | "new" | "refused"; username: string; problem?: string; reason?: string } } } }
  'GET /api/providers': Array<{ kind: "oidc" | "ldap"; slug: string; label: string; answers: boolean; reason?: string; redirect?: string; compared?: { at: string; state: "good" | "doubtful" | "failed"; open: number; reason?: string } | null }>
  'POST /api/directories/{slug}/sync': { state: "good" | "doubtful"; accounts: number; open: number; missing: number; closed: number; reopened: number }
  'POST /api/directories/{slug}/trial': { kind: "oidc" | "ldap"; slug: string; label: string; steps: Array<{ step: "description" | "token" | "userInfo" | "connection" | "entry" | "password" | "groups"; found?: string; failed?: string }>; arrived?: { claims: Array<{ name: string; value: string }>; groups: Array<string>; groupsHere: Array<string>; groupsMissing: Array<string>; account: { outcome: "known" | "new" | "refused"; username: string; problem?: string; reason?: string } } }
  'GET /api/providers/trials/{id}': { kind: "oidc" | "ldap"; slug: string; label: string; steps: Array<{ step: "description" | "token" | "userInfo" | "connection" | "entry" | "password" | "groups"; found?: string; failed?: string }>; arrived?: { claims: Array<{ name: string; value: string }>; groups: Array<string>; groupsHere: Array<string>; groupsMissing: Array<string>; account: { outcome: "known" | "new" | "refused"; username: string; problem?: string; reason?: string } } }
  'GET /api/account/identities': Array<{ kind: "oidc" | "ldap"; slug: string | null; label: string; username: string; created: string; used: string; removable: boolean }>
  'GET /api/resources/{path}': Resource
  'GET /api/resources/recursive/{path}': Array<RecursiveItem> | Resource
  'POST /api/play-links': { url: string; playlist: string; expires: string }
  'GET /api/archives/list/{path}': { path: string; items: Array<{ path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: boolean; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; encrypted: boolean }>; unnamed: number; more: boolean }
  'GET /api/picture-sizes/{path}': { sizes: Array<[number, number] | null>; taken: Array<string | null>; colours: Array<string | null> }
  'GET /api/covers/{path}': { items: Array<{ name: string; modified: string }> }
  'GET /api/trash': { items: Array<{ id: string; name: string; path: string; isDir: boolean; size: number; modified: string; deleted: string; until?: string; by: string; mine: boolean; outside?: boolean }>; more: boolean; count: number; bytes: number }
  'POST /api/trash/restore': { results: Array<{ id: string; state: "done" | "skipped" | "failed"; to?: string; code?: string }>; more: boolean }
  'POST /api/trash/purge': { results: Array<{ id: string; state: "done" | "skipped" | "failed"; to?: string; code?: string }>; more: boolean }
  'POST /api/trash/conflicts': { conflicts: Array<{ item: number; to: string; ours: { isDir: boolean; isSymlink: boolean; size: number; modified: string }; theirs: { isDir: boolean; isSymlink: boolean; size: number; modified: string } }>; more: number }
  'GET /api/trash/room': Array<{ place: string; count: number; bytes: number; total?: number; free?: number; leaving?: number; limits: { days: number; most?: number; spare?: number } }>
  'POST /api/trash/empty': Job
  'GET /api/trash/items/{path}': FolderResource | ResourceItem
  'GET /api/versions/{path}': { current: { name: string; path: string; size: number; modified: string; version: string; outside: boolean }; items: Array<{ id: string; name: string; path: string; size: number; modified: string; replaced: string; by: string; mine: boolean; reason: "upload" | "save" | "copy" | "move" | "extract" | "restore" | "undo" | "outside"; label?: string; pinned: boolean; until?: string; away?: boolean }>; more: boolean; mode: "smart" | "all" | "off"; supported: boolean; next: "kept" | "none" | "skipped" | "unsure"; canChange: boolean }
  'POST /api/versions/{path}': { path: string; kept?: string }
  'PATCH /api/kept/{id}': { id: string; name: string; path: string; size: number; modified: string; replaced: string; by: string; mine: boolean; reason: "upload" | "save" | "copy" | "move" | "extract" | "restore" | "undo" | "outside"; label?: string; pinned: boolean; until?: string; away?: boolean }
  'GET /api/snapshots/{path}': { items: Array<{ id: string; time: string; name: string; source: "zfs" | "snapper" | "folder" | "pattern"; size?: number; modified?: string }>; more: boolean }
  'GET /api/activity/{path}': { items: Array<{ id: string; time: string; user: string; mine: boolean; ofSession: boolean; way: string; visitor?: string; kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; state: "open" | "done" | "partly" | "undone"; count: number; counted: boolean; bytes: number; folder: string; first: Array<string>; undo: { can: boolean; until?: string; why?: "gone" | "taken" | "changed_since" | "reopens" | "undone" | "final" | "forbidden" | "unsupported" | "open" }; undoneBy?: string; undoes?: string; about?: { kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; again: boolean }; job?: string; step: { position: number; kind: "trash" | "move" | "make" | "replace" | "restore" | "purge" | "link"; path: string; to?: string; isDir: boolean; state: "open" | "done" | "undone" | "lost"; kept?: string; settings?: Array<"passwordSet" | "passwordChanged" | "passwordRemoved" | "endSet" | "endRemoved" | "endsLater" | "endsEarlier" | "nameChanged" | "addressChanged" | "paused" | "resumed" | "previewsOnly" | "downloadsAllowed" | "rightsAdded" | "rightsRemoved" | "rightsChanged" | "messageChanged" | "senderChanged" | "limitRaised" | "limitLowered"> } }>; next?: string }
  'GET /api/changes': { items: Array<{ id: string; time: string; user: string; mine: boolean; ofSession: boolean; way: string; visitor?: string; kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; state: "open" | "done" | "partly" | "undone"; count: number; counted: boolean; bytes: number; folder: string; first: Array<string>; undo: { can: boolean; until?: string; why?: "gone" | "taken" | "changed_since" | "reopens" | "undone" | "final" | "forbidden" | "unsupported" | "open" }; undoneBy?: string; undoes?: string; about?: { kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; again: boolean }; job?: string }>; more: boolean }
  'GET /api/changes/{id}': { id: string; time: string; user: string; mine: boolean; ofSession: boolean; way: string; visitor?: string; kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; state: "open" | "done" | "partly" | "undone"; count: number; counted: boolean; bytes: number; folder: string; first: Array<string>; undo: { can: boolean; until?: string; why?: "gone" | "taken" | "changed_since" | "reopens" | "undone" | "final" | "forbidden" | "unsupported" | "open" }; undoneBy?: string; undoes?: string; about?: { kind: "delete" | "purge" | "move" | "rename" | "copy" | "create" | "upload" | "save" | "archive" | "extract" | "restore" | "revert" | "undo" | "rewind" | "expire" | "link" | "relink" | "unlink"; again: boolean }; job?: string; steps: Array<{ position: number; kind: "trash" | "move" | "make" | "replace" | "restore" | "purge" | "link"; path: string; to?: string; isDir: boolean; state: "open" | "done" | "undone" | "lost"; kept?: string; settings?: Array<"passwordSet" | "passwordChanged" | "passwordRemoved" | "endSet" | "endRemoved" | "endsLater" | "endsEarlier" | "nameChanged" | "addressChanged" | "paused" | "resumed" | "previewsOnly" | "downloadsAllowed" | "rightsAdded" | "rightsRemoved" | "rightsChanged" | "messageChanged" | "senderChanged" | "limitRaised" | "limitLowered"> }>; moreSteps: boolean }
  'POST /api/changes/{id}/undo': { verdicts?: Array<{ position: number; kind: "trash" | "move" | "make" | "replace" | "restore" | "purge" | "link"; path: string; to?: string; isDir: boolean; can: boolean; why?: "gone" | "taken" | "changed_since" | "reopens" | "undone" | "final" | "forbidden" | "unsupported" | "open"; went?: { how: "restored" | "purged" | "expired" | "room" | "taken"; time: string }; offers: Array<"trash" | "copy" | "over" | "settings"> }>; results?: Array<{ position: number; state: "done" | "skipped" | "failed"; path?: string; code?: string }>; change?: string; count?: number; can?: number }
  'POST /api/changes/rewind': { back: number; moved: number; contents: number; trashed: number; stay: number; stays: Array<{ path: string; why: "gone" | "taken" | "changed_since" | "reopens" | "undone" | "final" | "forbidden" | "unsupported" | "open" }>; checked: boolean }
  'GET /api/stars': { items: Array<{ id: string; path: string; name: string; isDir: boolean; size: number; modified: string; trash?: string }> }
  'GET /api/marks/{path}': { [name: string]: { star?: true; tags?: Array<string>; note?: true; comments?: number } }
  'GET /api/tags': { items: Array<{ id: string; name: string; colour: "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink" | "grey"; shared: boolean }> }
  'POST /api/tags': { id: string; name: string; colour: "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink" | "grey"; shared: boolean }
  'PATCH /api/tags/{id}': { id: string; name: string; colour: "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink" | "grey"; shared: boolean }
  'GET /api/tags/{id}/items': { items: Array<{ id: string; path: string; name: string; isDir: boolean; size: number; modified: string; trash?: string }>; next?: string }
  'PUT /api/tagged': { results: Array<{ path: string; tags?: Array<string>; code?: string }> }
  'GET /api/notes/{path}': { text: string; username?: string; time?: string }
  'GET /api/comments/{path}': { items: Array<{ id: string; username: string; text: string; time: string; edited?: string; own: boolean }> }
  'POST /api/comments/{path}': { id: string; username: string; text: string; time: string; edited?: string; own: boolean }
  'GET /api/recent': { remember: boolean; opened: Array<{ id: string; path: string; name: string; isDir: boolean; size: number; modified: string; time: string }>; changed: Array<{ id: string; path: string; name: string; isDir: boolean; size: number; modified: string; time: string }> }
  'GET /api/locks/{path}': { locks: Array<{ id: string; path: string; mine: boolean; releasable: boolean; who?: string; label: string; via: "dav" | "wopi"; since: string; until: string; depth: "0" | "infinity"; scope: "exclusive" | "shared" }> }
  'POST /api/office/open': { action: string; token: string; ttl: number; writable: boolean; reason?: "rights" | "locked" | "format"; lock?: { mine: boolean; who?: string; label: string } }
  'POST /api/office/test': { discovery: { ok: boolean; reason?: string; extensions?: number; signs?: boolean }; calls: { address: string; answered?: string; refused?: string }; pages?: { ok: boolean; origin: string } }
  'GET /api/integrity': { scrub: "off" | "weekly" | "monthly" | "quarterly"; rate: number; hours: { from: number; to: number }; total?: { files: number; bytes: number }; known: { files: number; bytes: number }; checked: { files: number; bytes: number }; last?: { started: string; ended?: string; complete: boolean; read: { files: number; bytes: number }; found: number }; next?: string; open: number }
  'GET /api/integrity/findings': { items: Array<{ id: string; kind: "rotten" | "quiet" | "unreadable"; state: "open" | "accepted" | "restored"; place: string; path?: string; time: string; size: number; expected?: string; found?: string; copies: Array<string>; settled?: string; settledBy?: string }>; more: boolean }
  'PATCH /api/integrity/findings/{id}': { id: string; kind: "rotten" | "quiet" | "unreadable"; state: "open" | "accepted" | "restored"; place: string; path?: string; time: string; size: number; expected?: string; found?: string; copies: Array<string>; settled?: string; settledBy?: string }
  'GET /api/duplicates': Array<{ id: string; folder: string; least: number; started: string; ended?: string; files: number; skipped: number }>
  'GET /api/duplicates/{run}': { run: { id: string; folder: string; least: number; started: string; ended?: string; files: number; skipped: number }; groups: Array<{ group: number; size: number; sha256: string; files: Array<{ path: string; modified: string }> }>; next?: number }
  'POST /api/conflicts': { conflicts: Array<{ item: number; to: string; ours: { isDir: boolean; isSymlink: boolean; size: number; modified: string }; theirs: { isDir: boolean; isSymlink: boolean; size: number; modified: string } }>; more: number }
  'GET /api/jobs': Array<Job>
  'POST /api/jobs': Job
  'GET /api/jobs/{id}': Job
  'PATCH /api/jobs/{id}': Job
  'POST /api/jobs/{id}/cancel': Job
  'GET /api/sizes/{path}': { bytes: number; disk: number; files: number; folders: number; state: "none" | "partial" | "known"; unread: number; count: number; items: Array<{ bytes: number; disk: number; files: number; folders: number; name: string; isDir: boolean }> }
  'GET /api/usage/{path}': UsageAnswer
  'GET /api/search/{path}': Array<SearchHit>
  'GET /api/searches': { items: Array<{ id: string; name: string; query: string; folder: string; everywhere: boolean; inContents: boolean }> }
  'POST /api/searches': { id: string; name: string; query: string; folder: string; everywhere: boolean; inContents: boolean }
  'PATCH /api/searches/{id}': { id: string; name: string; query: string; folder: string; everywhere: boolean; inContents: boolean }
  'GET /api/shares': Array<ShareLink>
  'GET /api/share/{path}': Array<ShareLink>
  'POST /api/share/{path}': ShareLink
  'PATCH /api/links/{hash}': ShareLink
  'GET /api/links/{hash}/deliveries': { deliveries: Array<{ name: string; given: string; sender: string; note: string; size: number; time: string }>; next?: string }
  'GET /api/links/{hash}/visits': Array<{ time: string; what: "view" | "download"; path: string }>
  'GET /api/public/share/{path}': { path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: true; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; items: Array<ResourceItem>; numDirs: number; numFiles: number; sorting: { by: "name" | "size" | "modified" | "kind"; asc: boolean }; kind?: "edit"; rights?: Array<"create" | "rename" | "modify" | "delete">; sender?: "optional" | "required"; token?: string; downloadsLeft?: number; previewOnly?: true; note?: string; request?: { note: string; sender: "no" | "optional" | "required"; maxFileBytes: number | null; bytesLeft: number | null; itemsLeft: number | null } } | { path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: false; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; subtitles?: Array<string>; content?: string; resolution?: { width: number; height: number }; checksums?: { [name: string]: string }; kind?: "edit"; rights?: Array<"create" | "rename" | "modify" | "delete">; sender?: "optional" | "required"; token?: string; downloadsLeft?: number; previewOnly?: true; note?: string }
  'GET /api/public/archives/list/{path}': { path: string; items: Array<{ path: string; name: string; size: number; extension: string; modified: string; mode: number; isDir: boolean; isSymlink: boolean; type: "image" | "audio" | "video" | "pdf" | "text" | "textImmutable" | "blob" | "invalid_link" | ""; encrypted: boolean }>; unnamed: number; more: boolean }
  'GET /api/public/picture-sizes/{path}': { sizes: Array<[number, number] | null>; taken: Array<string | null>; colours: Array<string | null> }
  'GET /api/grants': Array<{ id: string; path: string; isDir: boolean; to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note: string; expires: string | null; created: string; owner?: string; by?: string }>
  'POST /api/grants': { id: string; path: string; isDir: boolean; to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note: string; expires: string | null; created: string; owner?: string; by?: string }
  'GET /api/grants/all': Array<{ id: string; path: string; isDir: boolean; to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note: string; expires: string | null; created: string; owner?: string; by?: string }>
  'GET /api/grants/people': Array<{ kind: "user" | "group"; id: string; name: string }>
  'PATCH /api/grants/{id}': { id: string; path: string; isDir: boolean; to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note: string; expires: string | null; created: string; owner?: string; by?: string }
  'GET /api/grants/received': { folder: string | null; items: Array<{ id: string; path: string; isDir: boolean; owner: string; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; note: string; expires: string | null }> }
  'POST /api/users/{id}/handover': { folder?: string; left: number }
  'GET /api/users/disabled': Array<{ id: number; by: "admin" | "directory" }>
  'GET /api/users/homeless': Array<number>
  'GET /api/users': Array<User>
  'GET /api/users/{id}': User
  'GET /api/groups': Array<{ id: string; name: string; description: string; perm: Permissions; rules: Array<Rule>; members: number; sources: { [name: string]: number } }>
  'POST /api/groups': { id: string; name: string; description: string; perm: Permissions; rules: Array<Rule>; members: number; sources: { [name: string]: number } }
  'PUT /api/groups/order': Array<{ id: string; name: string; description: string; perm: Permissions; rules: Array<Rule>; members: number; sources: { [name: string]: number } }>
  'GET /api/groups/{id}': { id: string; name: string; description: string; perm: Permissions; rules: Array<Rule>; members: number; sources: { [name: string]: number } }
  'PUT /api/groups/{id}': { id: string; name: string; description: string; perm: Permissions; rules: Array<Rule>; members: number; sources: { [name: string]: number } }
  'GET /api/groups/{id}/members': { members: Array<{ id: number; username: string; sources: Array<string>; expires: string | null }>; more: boolean }
  'GET /api/account/access': { username: string; perm: Permissions; own: Permissions; groups: Array<{ id: string; name: string; perm: Permissions; sources: Array<string>; expires: string | null }>; rules?: Array<{ rule: Rule; by: "global" | "group" | "own"; group?: { id: string; name: string } }> }
  'GET /api/users/{id}/access': { username: string; perm: Permissions; own: Permissions; groups: Array<{ id: string; name: string; perm: Permissions; sources: Array<string>; expires: string | null }>; rules?: Array<{ rule: Rule; by: "global" | "group" | "own"; group?: { id: string; name: string } }> }
  'GET /api/mounts/own': Array<{ path: string; root: string; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share">; trash: boolean }>
  'GET /api/roots': Array<{ name: string; label: string; kind: "folder" | "bucket"; readOnly: boolean; available: boolean; exchanged?: true; room: { total: number; used: number } | null; mounts: number; quota: { bytes: number | null; items: number | null } }>
  'GET /api/mounts': Array<{ id: string; name: string; root: string; folder: string; readOnly: boolean; created: string; quota: { bytes: number | null; items: number | null }; access: Array<{ to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share" | "inherit">; expires: string | null }> }>
  'POST /api/mounts': { id: string; name: string; root: string; folder: string; readOnly: boolean; created: string; quota: { bytes: number | null; items: number | null }; access: Array<{ to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share" | "inherit">; expires: string | null }> }
  'GET /api/mounts/{id}': { id: string; name: string; root: string; folder: string; readOnly: boolean; created: string; quota: { bytes: number | null; items: number | null }; access: Array<{ to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share" | "inherit">; expires: string | null }> }
  'PUT /api/mounts/{id}': { id: string; name: string; root: string; folder: string; readOnly: boolean; created: string; quota: { bytes: number | null; items: number | null }; access: Array<{ to: { kind: "user" | "group"; id: string; name: string }; rights: Array<"download" | "create" | "rename" | "modify" | "delete" | "share" | "inherit">; expires: string | null }> }
  'GET /api/tokens': Array<{ id: string; label: string; hint: string; scopes: Array<"read" | "write" | "share" | "admin">; folders: Array<string>; confined: boolean; networks: Array<string>; expires: string | null; created: string; used: string | null; address: string; agent: string }>
  'POST /api/tokens': { id: string; label: string; hint: string; scopes: Array<"read" | "write" | "share" | "admin">; folders: Array<string>; confined: boolean; networks: Array<string>; expires: string | null; created: string; used: string | null; address: string; agent: string; token: string }
  'PATCH /api/tokens/{id}': { id: string; label: string; hint: string; scopes: Array<"read" | "write" | "share" | "admin">; folders: Array<string>; confined: boolean; networks: Array<string>; expires: string | null; created: string; used: string | null; address: string; agent: string }
  'GET /api/tokens/self': { id: string; label: string; hint: string; scopes: Array<"read" | "write" | "share" | "admin">; folders: Array<string>; confined: boolean; networks: Array<string>; expires: string | null; created: string; used: string | null; address: string; agent: string; username: string }
  'GET /api/users/{id}/tokens': Array<{ id: string; label: string; hint: string; scopes: Array<"read" | "write" | "share" | "admin">; folders: Array<string>; confined: boolean; networks: Array<string>; expires: string | null; created: string; used: string | null; address: string; agent: string }>
  'GET /api/account/factors': { totp: string | null; recoveryCodes: number; passkeys: Array<{ id: string; label: string; site: string; created: string; used: string | null; copied: boolean }>; due: string | null; password: string | null; hasPassword: boolean; devices: Array<{ id: string; agent: string; address: string; used: string; expires: string }> }
  'POST /api/account/totp': { secret: string; address: string }
  'POST /api/account/totp/confirm': { codes: Array<string> }
  'POST /api/account/recovery': { codes: Array<string> }
  'GET /api/users/{id}/factors': { totp: string | null; recoveryCodes: number; passkeys: Array<{ id: string; label: string; site: string; created: string; used: string | null; copied: boolean }>; due: string | null; password: string | null; hasPassword: boolean; devices: Array<{ id: string; agent: string; address: string; used: string; expires: string }> }
  'POST /api/account/passkeys/options': { ticket: string; options: { [name: string]: unknown } }
  'POST /api/account/passkeys': { passkey: { id: string; label: string; site: string; created: string; used: string | null; copied: boolean }; codes: Array<string> }
  'PATCH /api/account/passkeys/{id}': { id: string; label: string; site: string; created: string; used: string | null; copied: boolean }
  'GET /api/settings': SettingsAnswer
  'GET /api/settings/access': { secondFactor: { require: "none" | "admins" | "groups" | "all"; groups: Array<string>; from: string | null; graceDays: number; trustProviders: boolean }; links: { kinds: Array<"view" | "edit" | "drop">; password: "optional" | "required"; maxDays: number; slugs: "off" | "locked" | "open" } }
  'GET /api/branding': { images: Array<{ name: "logo" | "icon" | "picture"; type: string; size: number; version: string }>; limits: { logo: number; icon: number; picture: number } }
  'PUT /api/branding/{image}': { name: "logo" | "icon" | "picture"; type: string; size: number; version: string }
  'GET /api/audit': { rows: Array<{ id: number; time: string; userID: number; username: string; action: "login" | "logout" | "signup" | "session.end" | "read" | "download" | "share.open" | "upload" | "save" | "folder" | "copy" | "move" | "delete" | "purge" | "trash.restore" | "trash.expire" | "version.restore" | "version.remove" | "version.expire" | "undo" | "integrity.finding" | "archive" | "extract" | "command" | "lock" | "unlock" | "lock.break" | "office.open" | "share.add" | "share.change" | "share.invite" | "share.remove" | "share.rebind" | "grant.add" | "grant.change" | "grant.remove" | "user.add" | "user.change" | "user.remove" | "user.export" | "group.add" | "group.change" | "group.remove" | "group.member" | "mount.add" | "mount.change" | "root.change" | "mount.remove" | "mount.access" | "settings.change" | "token.add" | "token.change" | "token.remove" | "factor.add" | "factor.change" | "factor.remove" | "identity.link" | "identity.unlink" | "webhook.add" | "webhook.change" | "webhook.remove" | "tag.change" | "tag.set" | "note.set" | "comment.add" | "comment.change" | "comment.remove" | "audit.export" | "audit.prune" | "audit.gap" | "console"; outcome: string; way: "session" | "proxy" | "hook" | "noauth" | "oidc" | "passkey" | "ldap" | "token" | "apitoken" | "dav" | "share" | "console" | "server"; address: string; path: string; target: string; hash: string; change?: string }>; more: boolean }
  'GET /api/quota': { limit: number | null; used: number; reserved: number; exact: boolean; items: { limit: number | null; used: number; reserved: number } }
  'GET /api/quotas': { roots: Array<{ limit: number | null; used: number; reserved: number; exact: boolean; items: { limit: number | null; used: number; reserved: number }; name: string }>; mounts: Array<{ limit: number | null; used: number; reserved: number; exact: boolean; items: { limit: number | null; used: number; reserved: number }; id: string; name: string }>; users: Array<{ limit: number | null; used: number; reserved: number; exact: boolean; items: { limit: number | null; used: number; reserved: number }; id: number; username: string; own: number | null; group?: { id: string; name: string }; ownItems: number | null; itemsGroup?: { id: string; name: string } }>; groups: Array<{ id: string; name: string; own: number | null; ownItems: number | null }> }
  'GET /api/webhooks': { permitted: boolean; networks: Array<string>; webhooks: Array<{ id: string; name: string; url: string; types: Array<"file.uploaded" | "file.saved" | "file.downloaded" | "folder.created" | "item.copied" | "item.moved" | "item.deleted" | "item.restored" | "archive.packed" | "archive.extracted" | "share.created" | "share.removed" | "share.opened" | "share.uploaded" | "login.succeeded" | "login.blocked" | "login.newDevice" | "user.created" | "user.changed" | "user.removed" | "settings.changed" | "job.finished" | "quota.warning">; folder: string; pattern: string; enabled: boolean; offReason: "" | "gone" | "failing"; created: string; lastDelivery: string | null; failingSince: string | null; waiting: number; dead: number; dropped: number }> }
  'POST /api/webhooks': { id: string; secret: string }
  'POST /api/webhooks/{id}/secret': { id: string; secret: string }
  'POST /api/webhooks/{id}/test': { status: number | null; reason: string; answer: string; ms: number }
  'GET /api/webhooks/{id}/deliveries': { deliveries: Array<{ id: string; type: string; state: "waiting" | "sent" | "dead"; tries: number; created: string; next: string | null; ended: string | null; status: number | null; reason: string; answer: string; ms: number | null; body: string }>; more: boolean }
  'GET /api/mail': { on: boolean; server: string; from: string; waiting: number; dead: number; failed: Array<{ kind: string; time: string; reason: string }> }
  'POST /api/mail/test': { step: "" | "name" | "connection" | "tls" | "login" | "receiver" | "message"; answer: string; ms: number }
  'GET /api/account/mail': { address: string; pending: string; notices: boolean; off: Array<"share.uploaded" | "grant.received" | "quota.warning" | "job.failed" | "job.done" | "webhook.off" | "mail.dead" | "health.red"> }
  'POST /api/users/{id}/one-time-link': { url: string; expires: string }
  'POST /api/mail-links/look': { purpose: "reset" | "verify" | "invitation"; username: string; address: string; minimumPasswordLength: number }
  'GET /api/why': { allowed: boolean; username: string; place?: string; steps: Array<{ check: "place" | "permission" | "rule" | "link" | "file" | "mode" | "share"; ok: boolean; place?: { kind: "mount" | "shared"; path: string; owner?: string; readOnly?: boolean }; missing?: Array<"admin" | "execute" | "create" | "rename" | "modify" | "delete" | "share" | "download">; given?: Array<{ permission: "admin" | "execute" | "create" | "rename" | "modify" | "delete" | "share" | "download"; own: boolean; groups: Array<{ id: string; name: string }>; inherited?: boolean }>; by?: "global" | "group" | "own" | "owner" | "hidden" | "none"; group?: { id: string; name: string }; rule?: Rule; code?: string; leads?: string; rights?: { path: string; lacks: "read" | "write"; mode: string; owner: { id: number; name?: string }; server?: { id: number; name?: string }; line?: string } }> }
  'GET /api/doctor': Array<{ code: "folderFree" | "folderFull" | "folderClosed" | "databaseSound" | "databaseNew" | "databaseBroken" | "databaseLost" | "storeAway" | "rootExchanged" | "bucketForgets" | "heldByHandles" | "heldByNames" | "kernelCalled" | "kernelLeft" | "watchesMany" | "watchesFew" | "picturesMade" | "picturesFail" | "videosMade" | "videosMissing" | "documentsShown" | "documentsMissing" | "documentsUnboxed" | "sumsDiffer" | "secretsUnreadable" | "keyInDatabase" | "providerUp" | "providerAway" | "directoryUp" | "directoryAway" | "directoryPlain" | "directoryDoubtful" | "webhookFailing" | "webhookOff" | "mailUp" | "mailAway" | "mailDead" | "mailLate" | "officeUp" | "officeAway" | "officeSilent" | "programsOff" | "programsBoxed" | "programsFree" | "programsRefused" | "areaUnsafe" | "areaAway" | "roomShort" | "clockJumped" | "keptLost" | "keptUnknown" | "linksMissing" | "cameStraight" | "cameByProxy" | "cameByStranger" | "cookieSent" | "cookieLost" | "reached" | "unreachable" | "encrypted" | "nearby" | "plainText" | "davRefused" | "clockRight" | "clockUnknown" | "clockWrong" | "baseRight" | "baseWrong" | "bodiesPass" | "bodiesStopped" | "methodsPass" | "methodsStopped" | "davPass" | "davStopped" | "namesPass" | "namesStopped" | "socketsPass" | "socketsStopped" | "eventsPass" | "eventsLate" | "waitsPass" | "silenceStopped" | "trickleStopped" | "handOverWorks" | "handOverFails" | "handOverBare" | "handOverOpen"; what?: string; amount?: number; lines?: Array<string> }>
  'GET /api/doctor/files': Array<{ path: string; address: string; place: string; size: number; lines: { missing: Array<string>; refused: Array<string> } }>
  'GET /api/doctor/settings': Array<{ name: string; text?: string; from: "flag" | "variable" | "file" | "database" | "default"; where?: string; host?: "place" | "way" | "key" | "first" | "power" | "guard"; default?: string; words?: Array<string>; kept?: string }>
  'GET /api/openapi.json': unknown
}
