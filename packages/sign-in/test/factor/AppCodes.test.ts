/** Codes of apps by the vectors of RFC 6238, and recovery codes as people type them. */
import { assert, describe, it } from "@effect/vitest"
import { appSecret, appUri, groupedSecret, stepOf } from "@lectern/sign-in/factor/AppCodes"
import { foldRecoveryCode, isRecoveryCode, recoveryCode } from "@lectern/sign-in/factor/RecoveryCode"

/** The secret of RFC 6238 for SHA-1, `12345678901234567890`. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

describe("A code of an app", () => {
  it("is that of RFC 6238", () => {
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_111_111_111, "050471"],
      [1_234_567_890, "005924"],
      [2_000_000_000, "279037"],
      [20_000_000_000, "353130"]
    ] as const) {
      assert.strictEqual(stepOf(secret, code, seconds * 1000), Math.floor(seconds / 30), code)
    }
  })

  it("counts one step before and after its own", () => {
    const step = 41_152_263
    const middle = step * 30_000 + 15_000
    for (const [offset, expected] of [
      [-2, undefined],
      [-1, step],
      [0, step],
      [1, step],
      [2, undefined]
    ] as const) {
      assert.strictEqual(stepOf(secret, "005924", middle + offset * 30_000), expected, `${offset}`)
    }
  })

  it("is six digits, with spaces as apps show them", () => {
    const now = 1_234_567_890_000
    assert.strictEqual(stepOf(secret, " 005 924 ", now), 41_152_263)
    for (const wrong of ["", "5924", "0059240", "00592a", "００５９２４", "-05924", "005.924", "x".repeat(10_000)]) {
      assert.isUndefined(stepOf(secret, wrong, now), wrong.slice(0, 20))
    }
  })

  it("has a secret of 20 bytes", () => {
    assert.strictEqual(appSecret(Buffer.from("12345678901234567890 and more")), secret)
    assert.strictEqual(groupedSecret(secret), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
    assert.strictEqual(
      appUri(secret, "Lectern (docs.example.com)", "ada@example.com"),
      `otpauth://totp/Lectern%20(docs.example.com):ada%40example.com?issuer=Lectern%20(docs.example.com)&secret=${secret}&algorithm=SHA1&digits=6&period=30`
    )
  })
})

describe("A recovery code", () => {
  it("has 16 characters that are not confused", () => {
    assert.strictEqual(recoveryCode(Uint8Array.from({ length: 32 }, (_, i) => i)), "0123-4567-89ab-cdef")
    assert.strictEqual(recoveryCode(Uint8Array.from({ length: 32 }, (_, i) => 255 - i)), "zyxw-vtsr-qpnm-kjhg")
  })

  it("is read without regard to case, hyphens, white space and similar characters", () => {
    for (const typed of ["k7wm-3xrt-9qhd-v2b1", "K7WM 3XRT 9QHD V2BL", "k7wm3xrt9qhdv2bi", " k7wm-3xrt-9qhd-v2b1\n"]) {
      assert.strictEqual(foldRecoveryCode(typed), "k7wm3xrt9qhdv2b1")
      assert.isTrue(isRecoveryCode(typed))
    }
    assert.isFalse(isRecoveryCode("123456"))
  })
})
