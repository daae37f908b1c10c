import type { Migration } from 'kysely/migration'
import { up as start } from './0001-start.ts'
import { up as uploads } from './0003-uploads.ts'
import { up as shares } from './0004-shares.ts'
import { up as jobs } from './0005-jobs.ts'
import { up as leftovers } from './0006-leftovers.ts'
import { up as sessionDevices } from './0007-session-devices.ts'
import { up as guesses } from './0008-guesses.ts'
import { up as transfers } from './0010-transfers.ts'
import { up as shareTokens } from './0011-share-tokens.ts'
import { up as audit } from './0014-audit.ts'
import { up as longPaths } from './0018-long-paths.ts'
import { up as linksFollow } from './0019-links-follow.ts'
import { up as trash } from './0020-trash.ts'
import { up as versions } from './0022-versions.ts'
import { up as changes } from './0023-changes.ts'
import { up as partialIndexes } from './0025-partial-indexes.ts'
import { up as marks } from './0027-marks.ts'
import { up as rewound } from './0028-rewound.ts'
import { up as integrity } from './0029-integrity.ts'
import { up as apiTokens } from './0030-api-tokens.ts'
import { up as tags } from './0031-tags.ts'
import { up as identities } from './0032-identities.ts'
import { up as davProps } from './0033-dav-props.ts'
import { up as locks } from './0034-locks.ts'
import { up as groups } from './0035-groups.ts'
import { up as factors } from './0037-factors.ts'
import { up as savedSearches } from './0039-saved-searches.ts'
import { up as fileRequests } from './0040-file-requests.ts'
import { up as linkVisits } from './0041-link-visits.ts'
import { up as webhooks } from './0042-webhooks.ts'
import { up as passkeys } from './0043-passkeys.ts'
import { up as directories } from './0044-directories.ts'
import { up as grants } from './0045-grants.ts'
import { up as quotas } from './0046-quotas.ts'
import { up as mails } from './0047-mails.ts'
import { up as brandingImages } from './0048-branding-images.ts'
import { up as linkNames } from './0053-link-names.ts'
import { up as linkEvents } from './0054-link-events.ts'
import { up as importedGroups } from './0056-imported-groups.ts'
import { up as linkPauses } from './0059-link-pauses.ts'
import { up as passwordAge } from './0060-password-age.ts'
import { up as mounts } from './0061-mounts.ts'
import { up as webhookPatterns } from './0062-webhook-patterns.ts'
import { up as quotaWarnings } from './0063-quota-warnings.ts'
import { up as webhookOwners } from './0064-webhook-owners.ts'
import { up as itemQuotas } from './0066-item-quotas.ts'
import { up as linkRights } from './0067-link-rights.ts'
import { up as signInPlaces } from './0068-sign-in-places.ts'
import { up as office } from './0069-office.ts'
import { up as placeQuotas } from './0070-place-quotas.ts'
import { up as providerFactor } from './0071-provider-factor.ts'
import { up as visitorNames } from './0072-visitor-names.ts'
import { up as tokenFolders } from './0073-token-folders.ts'
import { up as sessionFactors } from './0074-session-factors.ts'
import { up as noticesAndQuietEvents } from './0075-notices-and-quiet-events.ts'
import { up as lastSeen } from './0076-last-seen.ts'
import { up as placeWarnings } from './0077-place-warnings.ts'
import { up as officeUse } from './0079-office-use.ts'
import { up as mountEnds } from './0082-mount-ends.ts'
import { up as disabledBy } from './0083-disabled-by.ts'
import { up as sharingOn } from './0084-sharing-on.ts'
import { up as homes } from './0085-homes.ts'
import { up as linkSettings } from './0086-link-settings.ts'
import { up as remarks } from './0087-remarks.ts'
import { up as seenRoots } from './0088-seen-roots.ts'

/** Every migration, oldest first. Released ones never change; add new ones at the end. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-start': { up: start },
  '0003-uploads': { up: uploads },
  '0004-shares': { up: shares },
  '0005-jobs': { up: jobs },
  '0006-leftovers': { up: leftovers },
  '0007-session-devices': { up: sessionDevices },
  '0008-guesses': { up: guesses },
  '0010-transfers': { up: transfers },
  '0011-share-tokens': { up: shareTokens },
  '0014-audit': { up: audit },
  '0018-long-paths': { up: longPaths },
  '0019-links-follow': { up: linksFollow },
  '0020-trash': { up: trash },
  '0022-versions': { up: versions },
  '0023-changes': { up: changes },
  '0025-partial-indexes': { up: partialIndexes },
  '0027-marks': { up: marks },
  '0028-rewound': { up: rewound },
  '0029-integrity': { up: integrity },
  '0030-api-tokens': { up: apiTokens },
  '0031-tags': { up: tags },
  '0032-identities': { up: identities },
  '0033-dav-props': { up: davProps },
  '0034-locks': { up: locks },
  '0035-groups': { up: groups },
  '0037-factors': { up: factors },
  '0039-saved-searches': { up: savedSearches },
  '0040-file-requests': { up: fileRequests },
  '0041-link-visits': { up: linkVisits },
  '0042-webhooks': { up: webhooks },
  '0043-passkeys': { up: passkeys },
  '0044-directories': { up: directories },
  '0045-grants': { up: grants },
  '0046-quotas': { up: quotas },
  '0047-mails': { up: mails },
  '0048-branding-images': { up: brandingImages },
  '0053-link-names': { up: linkNames },
  '0054-link-events': { up: linkEvents },
  '0056-imported-groups': { up: importedGroups },
  '0059-link-pauses': { up: linkPauses },
  '0060-password-age': { up: passwordAge },
  '0061-mounts': { up: mounts },
  '0062-webhook-patterns': { up: webhookPatterns },
  '0063-quota-warnings': { up: quotaWarnings },
  '0064-webhook-owners': { up: webhookOwners },
  '0066-item-quotas': { up: itemQuotas },
  '0067-link-rights': { up: linkRights },
  '0068-sign-in-places': { up: signInPlaces },
  '0069-office': { up: office },
  '0070-place-quotas': { up: placeQuotas },
  '0071-provider-factor': { up: providerFactor },
  '0072-visitor-names': { up: visitorNames },
  '0073-token-folders': { up: tokenFolders },
  '0074-session-factors': { up: sessionFactors },
  '0075-notices-and-quiet-events': { up: noticesAndQuietEvents },
  '0076-last-seen': { up: lastSeen },
  '0077-place-warnings': { up: placeWarnings },
  '0079-office-use': { up: officeUse },
  '0082-mount-ends': { up: mountEnds },
  '0083-disabled-by': { up: disabledBy },
  '0084-sharing-on': { up: sharingOn },
  '0085-homes': { up: homes },
  '0086-link-settings': { up: linkSettings },
  '0087-remarks': { up: remarks },
  '0088-seen-roots': { up: seenRoots },
}
