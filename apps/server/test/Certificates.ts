/** Certificates for TLS that signed themselves, of `one.example.com` and `two.example.com`: good until 2126. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CertificateFiles } from "../src/edge/Certificate.ts"

export interface Pair {
  readonly certificate: string
  readonly key: string
}

/** Files of a certificate and its key. */
export const filesIn = (folder: string): CertificateFiles => ({
  certificate: join(folder, "tls.crt"),
  key: join(folder, "tls.key")
})

export const write = (files: CertificateFiles, { certificate, key }: Pair): void => {
  writeFileSync(files.key, key)
  writeFileSync(files.certificate, certificate)
}

export const one: Pair = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBqDCCAU2gAwIBAgIUcRytFxfW+6x7rp3QD7f3GiyoRVQwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPb25lLmV4YW1wbGUuY29tMCAXDTI2MTEyMzAzNDIzMloYDzIx
MjYxMDMwMDM0MjMyWjAaMRgwFgYDVQQDDA9vbmUuZXhhbXBsZS5jb20wWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQGIzGXafQXCy13BI0mTN7SfbD5qWax7AfVa3H8
pi7NuXSapIzrTpNcWmwE6iHSuJKheS+UEEm5WLvFngCF8GBSo28wbTAdBgNVHQ4E
FgQU6gk9FOWjROOJ+ufBOxZdiRW1RuowHwYDVR0jBBgwFoAU6gk9FOWjROOJ+ufB
OxZdiRW1RuowDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9vbmUuZXhhbXBs
ZS5jb20wCgYIKoZIzj0EAwIDSQAwRgIhAOxkdIkEudPIsWA+8kMAmhKdJgsx9pJl
DInRD+ATnDIVAiEA5IkEmAbF1kpBC/hKrICh8YseVlXygr5EgY8/w2HS0WM=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg50/t5jmPxGN2e/U2
DXIaZwCY0YUjQ/0Yoyof+HuEilWhRANCAAQGIzGXafQXCy13BI0mTN7SfbD5qWax
7AfVa3H8pi7NuXSapIzrTpNcWmwE6iHSuJKheS+UEEm5WLvFngCF8GBS
-----END PRIVATE KEY-----
`
}

export const two: Pair = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBqDCCAU2gAwIBAgIUczMp1GbkP9Xgk713La5Rm36M2x4wCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPdHdvLmV4YW1wbGUuY29tMCAXDTI2MTEyMzAzNDIzMloYDzIx
MjYxMDMwMDM0MjMyWjAaMRgwFgYDVQQDDA90d28uZXhhbXBsZS5jb20wWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARYRjghR8xXw3A9BcsLgA4xPw6u41LO3d0GFla3
U6tPc8N9lB55rH5wygp4dCSvHnMsbZpNOas1rzDNL20ZQ/Vgo28wbTAdBgNVHQ4E
FgQUW0kuqfZr2JxjErsBWPPpaQ0obZIwHwYDVR0jBBgwFoAUW0kuqfZr2JxjErsB
WPPpaQ0obZIwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg90d28uZXhhbXBs
ZS5jb20wCgYIKoZIzj0EAwIDSQAwRgIhANOx+xhW61z4FEr54ZBQdUn3a6pdjwy5
5SL1zK1Fgx8MAiEAutmpEtfoXmWGA3SQ6Ilxqw0QgqMqnwTpx3otmQoa+mU=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg16DW97S8D/IxCvBG
Waeu9TUPJz8DuE4kIyrZQA2XYCGhRANCAARYRjghR8xXw3A9BcsLgA4xPw6u41LO
3d0GFla3U6tPc8N9lB55rH5wygp4dCSvHnMsbZpNOas1rzDNL20ZQ/Vg
-----END PRIVATE KEY-----
`
}
