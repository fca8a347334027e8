/** The parameters that switch generated audio. Vendors have different names for it; the form treats them as one setting. */
export const audioSwitches: readonly string[] = ['generate_audio', 'sound', 'audio', 'generate_audio_switch'];

/** All parameters that affect audio. */
export const audioParameters: readonly string[] = [...audioSwitches, 'bgm', 'keep_original_sound'];
