import org.jetbrains.kotlin.gradle.dsl.JvmTarget

// An app with the library that `make aar` leaves in the build folder of the repository. Gradle and its Android plug-in are not among
// what the tests of this repository run: they compile and run the Kotlin by themselves.
plugins {
    id("com.android.application") version "8.7.3"
    id("org.jetbrains.kotlin.android") version "2.2.20"
}

android {
    namespace = "io.github.rehearsalsdk.sample"
    compileSdk = 35
    defaultConfig {
        applicationId = "io.github.rehearsalsdk.sample"
        minSdk = 21
        targetSdk = 35
        versionCode = 1
        versionName = "0.1.0"
    }
    buildTypes {
        release {
            // The library brings its own rules along.
            isMinifyEnabled = true
        }
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }
}

kotlin {
    compilerOptions { jvmTarget = JvmTarget.JVM_1_8 }
}

dependencies {
    implementation(files("../../../build/rehearsal.aar"))
    debugImplementation(files("../../../build/rehearsal-playground.jar"))
}
