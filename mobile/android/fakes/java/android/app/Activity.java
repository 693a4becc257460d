package android.app;

import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import io.github.rehearsalsdk.fake.Device;

public class Activity extends Context {
	private Application application;
	private View content;

	public final Application getApplication() {
		return application;
	}

	@Override public Context getApplicationContext() {
		return application;
	}

	protected void onCreate(Bundle state) { }

	public void setContentView(View view) {
		content = view;
	}

	@Override public void startActivity(Intent intent) {
		Device.start("activity", intent);
	}

	public final void requestPermissions(String[] permissions, int code) {
		if (!Device.isMain()) {
			throw new IllegalStateException("not the main thread");
		}
		if (Device.busy) {
			onRequestPermissionsResult(code, new String[0], new int[0]);
		} else {
			Device.prompt(this);
		}
	}

	public boolean shouldShowRequestPermissionRationale(String permission) {
		return Device.refusedOnce;
	}

	public boolean isFinishing() {
		return false;
	}

	public void onRequestPermissionsResult(int code, String[] permissions, int[] results) { }

	public final void runOnUiThread(Runnable work) {
		Device.post(work);
	}
}
