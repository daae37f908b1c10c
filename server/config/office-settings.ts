import { parseNetworks, parseOfficeURL } from './parse.ts'
import type { HostOnlySetting } from './setting.ts'

/** Those of the office editor, a part of `HOST_ONLY_SETTINGS`. */
export const OFFICE_SETTINGS = {
  office: {
    parse: parseOfficeURL,
    default: '',
    doc: 'Experimental: address of an office editor that speaks WOPI, such as https://office.example.org: Collabora Online or ONLYOFFICE. Needs publicURL. Empty means none. See docs/office.md.',
    host: 'way',
  },
  officeCallback: {
    parse: parseOfficeURL,
    default: '',
    doc: 'Address under which the office editor reaches this server, base URL included. Default: publicURL.',
    host: 'way',
  },
  officeNetworks: {
    parse: parseNetworks,
    default: '',
    doc: 'Addresses or networks of the office editor, such as 10.0.0.5: only from there it is answered, and only there it may be at a private address. Required for an editor that does not sign its requests.',
    host: 'way',
  },
} as const satisfies Record<string, HostOnlySetting>
