// A round trip from Java to Java with nothing between but JNI.
#include <jni.h>

static jmethodID run;

JNIEXPORT void JNICALL Java_io_github_rehearsalsdk_proof_Numbers_bare(JNIEnv *env, jclass self, jobject action) {
	if (run == NULL) {
		run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, action), "run", "()V");
	}
	(*env)->CallVoidMethod(env, action, run);
}
