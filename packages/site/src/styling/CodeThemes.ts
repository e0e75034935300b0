/**
 * Colours of the themes of code, made by `pnpm code-themes`: the ground, the ink, and those of words by their kinds
 * (c, s, r, n, k, o, f, t, g, a, i, d).
 */

export const kinds = ["c", "s", "r", "n", "k", "o", "f", "t", "g", "a", "i", "d"] as const

export const themes: Readonly<Record<string, string>> = {
  andromeeda: "23262e d5ced9 a0a1a7 96e072 7cb7ff f39c12 c74ded ee5d43 ffe66d ffe66d f92672 00e8c6 96e072 ee5d43",
  "aurora-x": "07090f 888888 546e7a c3e88d 89ddff f78c6c 89ddff c792ea 82aaff ffcb6b f07178 f78c6c c3e88d ff5370",
  "ayu-dark": "10141c bfbdb6 5a6673 aad94c 95e6cb d2a6ff ff8f40 f29668 ffb454 59c2ff 39bae6 d2a6ff 70bf56 f26d78",
  "catppuccin-frappe":
    "303446 c6d0f5 949cbb a6d189 a6d189 ef9f76 ca9ee6 81c8be 8caaee e5c890 8caaee ea999c a6d189 ca9ee6",
  "catppuccin-latte":
    "eff1f5 4c4f69 7c7f93 40a02b 40a02b fe640b 8839ef 179299 1e66f5 df8e1d 1e66f5 e64553 40a02b 8839ef",
  "catppuccin-macchiato":
    "24273a cad3f5 939ab7 a6da95 a6da95 f5a97f c6a0f6 8bd5ca 8aadf4 eed49f 8aadf4 ee99a0 a6da95 c6a0f6",
  "catppuccin-mocha":
    "1e1e2e cdd6f4 9399b2 a6e3a1 a6e3a1 fab387 cba6f7 94e2d5 89b4fa f9e2af 89b4fa eba0ac a6e3a1 cba6f7",
  "dark-plus": "1e1e1e d4d4d4 6a9955 ce9178 d16969 b5cea8 c586c0 d4d4d4 dcdcaa 4ec9b0 569cd6 9cdcfe b5cea8 ce9178",
  dracula: "282a36 f8f8f2 6272a4 f1fa8c f1fa8c bd93f9 ff79c6 ff79c6 50fa7b 8be9fd ff79c6 ffb86c 50fa7b ff5555",
  "dracula-soft": "282a36 f6f6f4 7b7f8b e7ee98 e7ee98 bf9eee f286c4 f286c4 62e884 97e1f1 f286c4 ffb86c 62e884 ee6666",
  "everforest-dark":
    "2d353b d3c6aa 859289 dbbc7f dbbc7f d699b6 e67e80 e69875 a7c080 7fbbb3 e69875 d3c6aa dbbc7f e67e80",
  "everforest-light":
    "fdf6e3 5c6a72 939f91 dfa000 dfa000 df69ba f85552 f57d26 8da101 3a94c5 f57d26 5c6a72 dfa000 f85552",
  "github-dark": "24292e e1e4e8 6a737d 9ecbff dbedff 79b8ff f97583 f97583 b392f0 b392f0 85e89d ffab70 85e89d fdaeb7",
  "github-dark-default":
    "0d1117 e6edf3 8b949e a5d6ff a5d6ff 79c0ff ff7b72 ff7b72 d2a8ff ffa657 7ee787 ffa657 7ee787 ffa198",
  "github-dark-dimmed":
    "22272e adbac7 768390 96d0ff 96d0ff 6cb6ff f47067 f47067 dcbdfb f69d50 8ddb8c f69d50 8ddb8c ff938a",
  "github-dark-high-contrast":
    "0a0c10 f0f3f6 bdc4cc addcff addcff 91cbff ff9492 ff9492 dbb7ff ffb757 72f088 ffb757 72f088 ffb1af",
  "github-light": "ffffff 24292e 6a737d 032f62 032f62 005cc5 d73a49 d73a49 6f42c1 6f42c1 22863a e36209 22863a b31d28",
  "github-light-default":
    "ffffff 1f2328 6e7781 0a3069 0a3069 0550ae cf222e cf222e 8250df 953800 116329 953800 116329 82071e",
  "github-light-high-contrast":
    "ffffff 0e1116 66707b 032563 032563 023b95 a0111f a0111f 622cbc 702c00 024c1a 702c00 024c1a 6e011a",
  "gruvbox-dark-hard":
    "1d2021 ebdbb2 928374 b8bb26 fe8019 d3869b fb4934 8ec07c fabd2f fabd2f 8ec07c 83a598 b8bb26 d65d0e",
  "gruvbox-dark-medium":
    "282828 ebdbb2 928374 b8bb26 fe8019 d3869b fb4934 8ec07c fabd2f fabd2f 8ec07c 83a598 b8bb26 d65d0e",
  "gruvbox-dark-soft":
    "32302f ebdbb2 928374 b8bb26 fe8019 d3869b fb4934 8ec07c fabd2f fabd2f 8ec07c 83a598 b8bb26 d65d0e",
  "gruvbox-light-hard":
    "f9f5d7 3c3836 928374 79740e af3a03 8f3f71 9d0006 427b58 b57614 b57614 427b58 076678 79740e d65d0e",
  "gruvbox-light-medium":
    "fbf1c7 3c3836 928374 79740e af3a03 8f3f71 9d0006 427b58 b57614 b57614 427b58 076678 79740e d65d0e",
  "gruvbox-light-soft":
    "f2e5bc 3c3836 928374 79740e af3a03 8f3f71 9d0006 427b58 b57614 b57614 427b58 076678 79740e d65d0e",
  houston: "17191e eef0f9 eef0f9 ffd493 eef0f9 ffd493 54b9ff eef0f9 00daef acafff 54b9ff 4bf3c8 ffd493 54b9ff",
  "kanagawa-dragon":
    "181616 c5c9c5 737c73 8a9a7b b98d7b a292a3 8992a7 c4b28a 8ba4b0 8ea4a2 c4b28a c5c9c5 76946a c34043",
  "kanagawa-lotus": "f2ecbc 545464 716e61 6f894e 836f4a b35b79 624c83 77713f 4d699b 597b75 77713f 545464 6e915f d7474b",
  "kanagawa-wave": "1f1f28 dcd7ba 727169 98bb6c c0a36e d27e99 957fb8 e6c384 7e9cd8 7aa89f e6c384 dcd7ba 76946a c34043",
  laserwave: "27212e ffffff 91889b b4dce7 b4dce7 b381c5 40b4c4 74dfc4 eb64b9 a96bc0 74dfc4 eb64b9 74dfc4 eb64b9",
  "light-plus": "ffffff 000000 008000 a31515 811f3f 098658 af00db 000000 795e26 267f99 800000 001080 098658 a31515",
  "material-theme": "263238 eeffff 546e7a c3e88d c3e88d f78c6c 89ddff 89ddff 82aaff ffcb6b f07178 eeffff c3e88d f07178",
  "material-theme-darker":
    "212121 eeffff 545454 c3e88d c3e88d f78c6c 89ddff 89ddff 82aaff ffcb6b f07178 eeffff c3e88d f07178",
  "material-theme-lighter":
    "fafafa 90a4ae 90a4ae 91b859 91b859 f76d47 39adb5 39adb5 6182b8 e2931d e53935 90a4ae 91b859 e53935",
  "material-theme-ocean":
    "0f111a babed8 464b5d c3e88d c3e88d f78c6c 89ddff 89ddff 82aaff ffcb6b f07178 babed8 c3e88d f07178",
  "material-theme-palenight":
    "292d3e babed8 676e95 c3e88d c3e88d f78c6c 89ddff 89ddff 82aaff ffcb6b f07178 babed8 c3e88d f07178",
  "min-dark": "1f1f1f b392f0 6b737c 9db1c5 ffab70 f8f8f8 f97583 f97583 b392f0 b392f0 ffab70 b392f0 9db1c5 f97583",
  "min-light": "ffffff 212121 c2c3c5 2b5581 22863a 1976d2 d32f2f d32f2f 6f42c1 6f42c1 22863a 6f42c1 2b5581 d32f2f",
  monokai: "272822 f8f8f2 88846f e6db74 e6db74 ae81ff f92672 f92672 a6e22e a6e22e f92672 fd971f a6e22e f92672",
  "night-owl": "011627 d6deeb 637777 ecc48d 5ca7e4 f78c6c c792ea 7fdbca 82aaff ffcb8b caece6 d7dbe0 036a07 ff0000",
  nord: "2e3440 d8dee9 616e88 a3be8c ebcb8b b48ead 81a1c1 81a1c1 88c0d0 8fbcbb 81a1c1 d8dee9 a3be8c bf616a",
  "one-dark-pro": "282c34 abb2bf 7f848e 98c379 e06c75 d19a66 c678dd abb2bf 61afef e5c07b e06c75 e06c75 98c379 e06c75",
  "one-light": "fafafa 383a42 a0a1a7 50a14f 0184bc 986801 a626a4 383a42 4078f2 c18401 e45649 383a42 50a14f e45649",
  plastic: "21252b a9b2c3 5f6672 98c379 98c379 56b6c2 e06c75 e06c75 b57edc e5c07b e5c07b c6ccd7 98c379 e06c75",
  poimandres: "1b1e28 a6accd 767c9d 5de4c7 5fb3a1 5de4c7 a6accd 91b4d5 add7ff a6accd 5de4c7 e4f0fb add7ff 506477",
  red: "390000 f8f8f8 e7c0c0 cd8d8d ffb454 994646 f12727 f12727 fec758 fec758 fec758 fb9a4b 41a83e ec9799",
  "rose-pine": "191724 e0def4 6e6a86 f6c177 f6c177 ebbcba 31748f 31748f ebbcba 9ccfd8 9ccfd8 c4a7e7 f6c177 31748f",
  "rose-pine-dawn": "faf4ed 575279 9893a5 ea9d34 ea9d34 d7827e 286983 286983 d7827e 56949f 56949f 907aa9 ea9d34 286983",
  "rose-pine-moon": "232136 e0def4 6e6a86 f6c177 f6c177 ea9a97 3e8fb0 3e8fb0 ea9a97 9ccfd8 9ccfd8 c4a7e7 f6c177 3e8fb0",
  "slack-dark": "222222 e6e6e6 6a9955 ce9178 d16969 b5cea8 c586c0 d4d4d4 dcdcaa 4ec9b0 569cd6 9cdcfe b5cea8 ce9178",
  "slack-ochin": "ffffff 000000 357b42 a44185 a44185 174781 7b30d0 7b30d0 7eb233 0444ac 0444ac b1108e a44185 7b30d0",
  "snazzy-light": "fafbfc 565869 adb1c2 cf9c00 13bbb7 ff5c57 f767bb adb1c2 09a1ed 2dae58 13bbb7 565869 888888 888888",
  "solarized-dark": "002b36 839496 586e75 2aa198 dc322f d33682 859900 859900 268bd2 cb4b16 268bd2 93a1a1 859900 dc322f",
  "solarized-light":
    "fdf6e3 657b83 93a1a1 2aa198 dc322f d33682 859900 859900 268bd2 cb4b16 268bd2 93a1a1 859900 dc322f",
  "synthwave-84": "262335 888888 848bbd 888888 f97e72 f97e72 fede5d fede5d 36f9f6 fe4450 72f1b8 ff7edb 888888 fede5d",
  "tokyo-night": "1a1b26 a9b1d6 51597d 9ece6a b4f9f8 ff9e64 bb9af7 89ddff 7aa2f7 c0caf5 f7768e e0af68 449dab 914c54",
  vesper: "101010 ffffff 8b8b8b 99ffe4 a0a0a0 ffc799 a0a0a0 a0a0a0 ffc799 ffc799 ffc799 ffffff 99ffe4 ff8080",
  "vitesse-black": "000000 dbd7ca 758575 c98a7d c4704f 4c9a91 4d9375 cb7676 80a665 5da994 4d9375 bd976a 85e89d fdaeb7",
  "vitesse-dark": "121212 dbd7ca 758575 c98a7d c4704f 4c9a91 4d9375 cb7676 80a665 5da994 4d9375 bd976a 85e89d fdaeb7",
  "vitesse-light": "ffffff 393a34 a0ada0 b56959 ab5e3f 2f798a 1e754f ab5959 59873a 2e8f82 1e754f b07d48 22863a b31d28"
}
